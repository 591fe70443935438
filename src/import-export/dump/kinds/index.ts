// All kinds of dump lines: a line comes after the lines that it refers to. At the end of an import, the last kind
// finishes first.

import type { LineKind } from '../kind.ts';
import { accountKind } from './account.ts';
import { avatarKind } from './avatar.ts';
import { bytesKind } from './bytes.ts';
import { changeKind } from './change.ts';
import { contributorKind } from './contributor.ts';
import { decisionKind } from './decision.ts';
import { emailKind } from './email.ts';
import { erasedKind } from './erased.ts';
import { keyKind } from './key.ts';
import { mediaKind } from './media.ts';
import { nameReportKind } from './name-report.ts';
import { notificationKind, notificationSettingKind } from './notification.ts';
import { passkeyKind } from './passkey.ts';
import { profileKind } from './profile.ts';
import { projectKind } from './project.ts';
import { ratingKind } from './rating.ts';
import { reportKind } from './report.ts';
import { secondFactorKind } from './second-factor.ts';
import { siteKind } from './site.ts';
import { webhookKind } from './webhook.ts';
import { weeklyCountKind } from './weekly-count.ts';

export const lineKinds: readonly LineKind[] = [
  changeKind,
  contributorKind,
  accountKind,
  emailKind,
  keyKind,
  passkeyKind,
  secondFactorKind,
  webhookKind,
  profileKind,
  avatarKind,
  projectKind,
  erasedKind,
  mediaKind,
  bytesKind,
  ratingKind,
  decisionKind,
  reportKind,
  nameReportKind,
  siteKind,
  weeklyCountKind,
  notificationKind,
  notificationSettingKind,
];
