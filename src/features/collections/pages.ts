// The projects of a collection on its page, and the pages that choose and arrange them.

import type { Sections } from '../../core/pages/page.ts';
import { arrangeRoutes } from './arrange-page.tsx';
import { collectRoutes, loadCollectionsOf, loadCollectLink } from './collect.tsx';
import { loadEditors, loadParts } from './collection.tsx';
import { labelRoutes } from './labels.tsx';
import { offerRoutes } from './offer.tsx';
import { peopleOfCollectionRoutes } from './people-page.tsx';

export const sections: Sections = {
  'project.byline': loadEditors,
  'project.parts': loadParts,
  'project.actions': loadCollectLink,
  'project.related': loadCollectionsOf,
};

export const routes = [
  ...arrangeRoutes,
  ...collectRoutes,
  ...offerRoutes,
  ...peopleOfCollectionRoutes,
  ...labelRoutes,
];
