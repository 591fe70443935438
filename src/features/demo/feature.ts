import type { Feature } from '../../core/feature.ts';
import { exportImport } from '../export-import/feature.ts';
import { siteAdmin } from '../site-admin/feature.ts';
import { demoCommand } from './command.ts';
import { settings } from './settings.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    demo: typeof en;
  }
}

export const demo: Feature = {
  name: 'demo',
  does: 'A small gallery to look around in, which is taken away when people have made their own.',
  uses: [siteAdmin, exportImport],
  pages: () => import('./pages.tsx'),
  settings: { before: 'reusePort', definitions: settings },
  async prepare(gallery, { demo: isWanted }) {
    if (isWanted) await (await import('./fill-demo.ts')).fillWithDemo(gallery);
  },
  async notice(database, { demo: isWanted }) {
    if (!isWanted || (await (await import('./remove.ts')).hasDemo(database))) return undefined;
    return 'The gallery is not empty, so --demo has added nothing.';
  },
  commands: [{ after: 'version', name: 'demo', command: demoCommand }],
  texts: { en, de, es, ar },
};
