// The pages with which people write a project without a network.

import { keyRoutes } from './key.ts';
import { offlineRoutes } from './offline-page.tsx';
import { UnsentProjects, unsentScript } from './unsent-projects.tsx';

export const routes = [...offlineRoutes, ...keyRoutes];
export const personalParts = [
  { permission: 'makeProject', script: unsentScript, Content: UnsentProjects },
] as const;
