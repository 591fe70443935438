import type { Feature } from '../../core/feature.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    offline: typeof en;
  }
}

export const offline: Feature = {
  name: 'offline',
  does: 'A project that somebody writes without a network waits on the device, encrypted, and is sent later.',
  pages: () => import('./pages.ts'),
  texts: { en, de, es, ar },
};
