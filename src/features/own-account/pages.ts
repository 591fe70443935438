import { accountRoutes } from './account-page.tsx';
import { keyRoutes } from './keys-page.tsx';
import { sessionRoutes } from './sessions-page.tsx';

export const routes = [...accountRoutes, ...sessionRoutes, ...keyRoutes];
