import type { Feature } from '../../core/feature.ts';
import { history } from '../history/feature.ts';
import { comparisonPart, lineagePart } from './paths.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    lineage: typeof en;
  }
}

export const lineage: Feature = {
  name: 'lineage',
  does: 'A project has a tree of its sources and its remixes, and a remix shows what it changed.',
  uses: [history],
  resources: { after: '/api/v1/projects/:id/copies/', load: () => import('./api.ts') },
  pages: () => import('./pages.tsx'),
  links: {
    'project.remix': [
      { href: comparisonPart, text: 'comparison.changes' },
      { href: lineagePart, text: 'project.seeTree' },
    ],
    'project.copies': [{ href: lineagePart, text: 'lineage.tree' }],
  },
  staticProjectPages: [lineagePart, comparisonPart],
  comparedResources: ['lineage/'],
  texts: { en, de, es, ar },
};
