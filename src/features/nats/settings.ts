// The settings of publishing changes to NATS: see settings/settings.ts.

import { InvalidValue } from '#common/inputs.ts';
import { defineSetting } from '../../core/settings/setting-values.ts';

export const settings = {
  nats: defineSetting({
    flag: 'nats',
    placeholder: 'URL',
    help: 'With `changes publish`: the NATS server, such as nats://host:4222 or tls://…; one with user:password@ or token@ only in the variable.',
    isSecret: (text) => text.includes('@'),
    read(text) {
      if (text === '' || (/^(nats|tls):\/\/[^/]/.test(text) && URL.parse(text)?.hostname)) return text;
      throw new InvalidValue('must be an address such as nats://user:password@host:4222');
    },
  }),
  natsPrefix: defineSetting({
    flag: 'nats-prefix',
    placeholder: 'NAME',
    fallback: 'vitrine',
    help: 'With `changes publish`: the beginning of the subjects; the stream has the same name.',
    read(text) {
      if (/^[\w-]{1,30}(\.[\w-]{1,30}){0,5}$/.test(text)) return text;
      throw new InvalidValue('must be words with dots between them, such as sites.gallery');
    },
  }),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface NamedSettings extends Definitions {}
}
