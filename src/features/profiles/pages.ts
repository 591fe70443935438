import { contributorRoutes } from './contributor-page.tsx';
import { profileRoutes } from './profile-form.tsx';

export const routes = [...contributorRoutes, ...profileRoutes];
