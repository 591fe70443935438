import type { Child } from '#rest/jsx/jsx-runtime.ts';
import type { Sections } from '../../core/pages/page.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { webhookListRoutes } from './list-page.tsx';
import { webhookRoutes } from './page.tsx';
import { webhooksPath } from './path.ts';
import { hasStoppedWebhook } from './webhook.ts';

export const routes = [...webhookListRoutes, ...webhookRoutes];

export const sections: Sections = {
  async 'account.notices'({ database, viewer, rich }) {
    if (!(await hasStoppedWebhook(database, requireSignedIn(viewer)))) return undefined;
    const link = (text: Child) => <a href={webhooksPath}>{text}</a>;
    return <p class="notice">{rich('account.webhookOff', { link })}</p>;
  },
};
