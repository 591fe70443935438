import type { Feature } from '../../core/feature.ts';
import { signIn } from '../sign-in/feature.ts';
import { accountStates } from './disable-accounts.ts';
import { closeReports, reportReasons, reportStates } from './report.ts';
import { nameReportTable, reportTable } from './tables.ts';
import ar from './texts/ar.json';
import de from './texts/de.json';
import en from './texts/en.json';
import es from './texts/es.json';

declare module '#common/api-text.ts' {
  interface FeatureTexts {
    moderation: typeof en;
  }
}

declare module '../../core/changes/change-kinds.ts' {
  interface FeatureChanges {
    report: 'created' | 'changed' | 'imported';
    name_report: 'created' | 'changed' | 'imported';
  }
}

declare module '../../core/viewer/permissions.ts' {
  interface FeaturePermissions {
    report: true;
    seeReports: true;
    decide: true;
    trustPeople: true;
    renameOthers: true;
    disableAccount: true;
    changeRole: true;
  }
}

const actions = { created: {}, changed: {}, imported: {} };

export const moderation: Feature = {
  name: 'moderation',
  does: 'People report projects, comments and names. Moderators decide, and a log has what they did.',
  uses: [signIn],
  neededBecause: 'somebody must be able to remove what harms people',
  tables: [reportTable, nameReportTable],
  lines: [
    { before: 'site', load: async () => (await import('./dump.ts')).createDecisionKind() },
    { before: 'site', load: async () => (await import('./dump.ts')).reportKind },
    { before: 'site', load: async () => (await import('./dump.ts')).nameReportKind },
  ],
  afterDecision: async (write, decision) => {
    if (decision.action === 'removed' || decision.action === 'trashed') await closeReports(write, decision);
  },
  changes: {
    report: { invalidates: 'nothing', actions },
    name_report: { invalidates: 'nothing', actions },
  },
  choices: { AccountState: accountStates, ReportReason: reportReasons, ReportState: reportStates },
  resources: {
    before: '/api/v1/me/',
    load: async () => ({ resources: (await import('./api.ts')).createResources() }),
  },
  pages: () => import('./pages.ts'),
  links: {
    'menu.end': [
      { href: '/moderation/', text: 'layout.moderation', permission: 'seeReports', countsOf: 'moderation' },
    ],
    moderation: [
      { href: '/moderation/', text: 'moderation.queue' },
      { href: '/moderation/log/', text: 'moderation.log' },
      { href: '/moderation/removed/', text: 'moderation.removed' },
      { href: '/moderation/trash/', text: 'moderation.trash' },
      { href: '/moderation/people/', text: 'moderation.people' },
    ],
  },
  permissions: {
    report: { description: 'report a project or a comment that is visible to them', rule: 'notOwner' },
    seeReports: {
      description: 'see reports, decisions and the state of accounts',
      rule: 'moderator',
      allowsReadOnlyKeys: true,
    },
    decide: { description: 'decide on reports and undo decisions', rule: 'moderatorOfOthers' },
    trustPeople: {
      description: 'let what a person publishes appear without a review',
      rule: 'moderatorOfOthers',
    },
    renameOthers: { description: 'change the names of a contributor', rule: 'moderatorOfOthers' },
    disableAccount: {
      description: 'disable and enable a contributor’s account; only admins for a moderator’s',
      rule: 'moderatorOfOthers',
    },
    changeRole: {
      description: 'change the role of an account, except of the last admin’s',
      rule: 'admin',
    },
  },
  texts: { en, de, es, ar },
};
