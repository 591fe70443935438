// The choices that the OpenAPI document has as types of their own, by name. The names never change: programs import them.

import { feedKinds, notificationKinds } from '../gallery/changes/kinds.ts';
import { contentTypes } from '../gallery/content-types.ts';
import { shownNames } from '../gallery/contributors/contributor.ts';
import { decisionActions } from '../gallery/decisions/decision.ts';
import { mediaTypes } from '../gallery/media/media.ts';
import { accountStates } from '../gallery/moderation/accounts.ts';
import { reportReasons } from '../gallery/moderation/report.ts';
import { reportStates } from '../gallery/moderation/reports.ts';
import { archived, draft, published, removed } from '../gallery/project-status.ts';
import { histories, visibilities } from '../gallery/projects/project.ts';
import { roles } from '../gallery/viewer.ts';
import { outcomes } from '../import-export/own-data/import.ts';

export const choices = {
  AccountState: accountStates,
  ChangeKind: feedKinds,
  ContentType: contentTypes,
  DecisionAction: decisionActions,
  FileType: Object.keys(mediaTypes),
  HistoryVisibility: histories,
  ImportOutcome: outcomes,
  NotificationKind: notificationKinds,
  ProjectStatus: { draft, published, archived, removed },
  ReportReason: reportReasons,
  ReportState: reportStates,
  Role: roles,
  ShownName: shownNames,
  Visibility: visibilities,
};
