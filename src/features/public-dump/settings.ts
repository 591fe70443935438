import { InvalidValue } from '#common/inputs.ts';
import { defineSetting, parseDuration } from '../../core/settings/setting-values.ts';
import type { SettingsOf } from '../../core/settings/settings.ts';

export const settings = {
  publicDump: defineSetting({
    flag: 'public-dump',
    placeholder: 'TIME',
    help: 'With `serve`: offer a file of all public projects, made again this often, such as 1d; at most 7d.',
    read: (text) => {
      const ms = parseDuration(text);
      if (ms === undefined || ms <= 7 * 24 * 3_600_000) return ms;
      throw new InvalidValue('must be at most 7d');
    },
  }),
};

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface FeatureSettings extends Definitions {}
}

export type PublicDumpSettings = SettingsOf<Definitions>;
