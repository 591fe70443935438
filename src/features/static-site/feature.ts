import type { Feature } from '../../core/feature.ts';
import { publicDump } from '../public-dump/feature.ts';
import { createStaticCommand } from './command.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    staticSite: typeof en;
  }
}

export const staticSite: Feature = {
  name: 'static-site',
  does: 'The gallery as a folder that any web host serves without a program, to keep for years.',
  uses: [publicDump],
  commands: [{ after: 'public-dump', name: 'static', command: createStaticCommand }],
  texts: { en, de, es, ar },
};
