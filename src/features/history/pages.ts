import { historyRoutes } from './history-page.tsx';
import { restoreVersionRoutes } from './restore-page.tsx';

export const routes = [...historyRoutes, ...restoreVersionRoutes];
