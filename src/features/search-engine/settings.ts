// The setting of the search engine: see settings/settings.ts.

import { InvalidValue } from '#common/inputs.ts';
import { defineSetting } from '../../core/settings/setting-values.ts';

export const settings = {
  searchEngine: defineSetting({
    flag: 'search-engine',
    placeholder: 'URL',
    help: 'The index of OpenSearch that large galleries search in, such as https://host:9200/vitrine, which `changes publish` fills; one with user:password@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      const { protocol = '', pathname = '', search } = URL.parse(text) ?? {};
      const isIndex = /^https?:$/.test(protocol) && /^\/[a-z0-9][a-z0-9_.-]{0,99}$/.test(pathname) && !search;
      if (text === '' || isIndex) return text;
      throw new InvalidValue(
        'must be the address of an index such as https://user:password@host:9200/vitrine',
      );
    },
  }),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface NamedSettings extends Definitions {}
}
