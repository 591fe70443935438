// The settings of the archive of changes, and of publishing them: see settings/settings.ts.

import { InvalidValue } from '#common/inputs.ts';
import { defineSetting, defineSwitch, parseDuration } from '../../core/settings/setting-values.ts';

export const settings = {
  keepChanges: defineSetting({
    flag: 'keep-changes',
    placeholder: 'TIME',
    help: 'Move changes that are older, such as 400d, from the database into compressed files; at least 30d.',
    read: (text) => {
      const ms = parseDuration(text);
      if (ms === undefined || ms >= 30 * 24 * 3_600_000) return ms;
      throw new InvalidValue('must be at least 30d');
    },
  }),
  once: defineSwitch(
    'once',
    'With `changes publish`: stop when all changes are published.',
    'VITRINE_NATS_ONCE',
  ),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface NamedSettings extends Definitions {}
}
