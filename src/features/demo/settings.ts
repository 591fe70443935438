import { defineSwitch } from '../../core/settings/setting-values.ts';

export const settings = { demo: defineSwitch('demo', 'Fill an empty database with a small gallery.') };

type Definitions = typeof settings;

declare module '../../core/settings/settings.ts' {
  interface FeatureSettings extends Definitions {}
}
