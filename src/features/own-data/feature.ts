import type { Feature } from '../../core/feature.ts';
import { ownAccount } from '../own-account/feature.ts';
import { outcomes } from './outcomes.ts';
import { importPath } from './path.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    ownData: typeof en;
  }
}

export const ownData: Feature = {
  name: 'own-data',
  does: 'People download everything of theirs, and bring their projects from another gallery.',
  neededBecause: 'people take along what is theirs',
  uses: [ownAccount],
  resources: { after: '/api/v1/me/', load: () => import('./api.ts') },
  choices: { ImportOutcome: outcomes },
  pages: () => import('./pages.tsx'),
  links: { account: [{ href: importPath, text: 'import.title', before: '/account/leave/' }] },
  texts: { en, de, es, ar },
};
