import type { LinkCounts } from '../../core/pages/layout/layout-data.ts';
import { accountFormRoutes } from './account-forms.tsx';
import { logRoutes } from './log-page.tsx';
import { countOpenNameReports } from './name-report.ts';
import { peopleRoutes } from './people-page.tsx';
import { removedRoutes } from './removed-page.tsx';
import { countOpenReports } from './report.ts';
import { queueRoutes } from './reports-queue-page.tsx';
import { roleRoutes } from './role-form.tsx';
import { nameReportRoutes } from './send-name-report-page.tsx';
import { reportRoutes } from './send-report-page.tsx';
import { moderationTrashRoutes } from './trash-page.tsx';
import { decisionRoutes } from './undo-page.tsx';

export { sections } from './moderator-links.tsx';

export const counts: LinkCounts = {
  '/moderation/': { permission: 'seeReports', count: countOpenReports },
  '/moderation/people/': { permission: 'seeReports', count: countOpenNameReports },
};

export const routes = [
  ...reportRoutes,
  ...nameReportRoutes,
  ...queueRoutes,
  ...decisionRoutes,
  ...logRoutes,
  ...removedRoutes,
  ...moderationTrashRoutes,
  ...peopleRoutes,
  ...accountFormRoutes,
  ...roleRoutes,
];
