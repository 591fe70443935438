// The remix tree of a project, and what a remix changed of its source.

import { comparisonRoutes } from './comparison.tsx';
import { treeRoutes } from './tree.tsx';

export { sections } from './comparison.tsx';

export const routes = [...treeRoutes, ...comparisonRoutes];
