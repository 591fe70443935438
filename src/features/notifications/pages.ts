import type { LinkCounts } from '../../core/pages/layout/layout-data.ts';
import { notificationFeedRoutes } from './feed.ts';
import { countUnread } from './find-notifications.ts';
import { notificationRoutes } from './page.tsx';
import { unsubscribeRoutes } from './unsubscribe.tsx';

export const counts: LinkCounts = {
  '/account/notifications/': { permission: 'seeAccount', count: countUnread },
};

export const routes = [...notificationRoutes, ...unsubscribeRoutes, ...notificationFeedRoutes];
