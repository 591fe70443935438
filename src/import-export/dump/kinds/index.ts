// All kinds of dump lines: a line comes after the lines that it refers to. At the end of an import, the last kind
// finishes first.

import sql from 'sql-template-tag';
import { exists } from '../../../database/query.ts';
import * as tables from '../../../database/schema.ts';
import { decisionActions } from '../../../gallery/decision-actions.ts';
import { maxReasonLength } from '../../../gallery/decisions/decision.ts';
import { licenseNames } from '../../../gallery/licenses.ts';
import {
  convert,
  id,
  instant,
  list,
  nullable,
  oneOf,
  optional,
  text,
  trimmedText,
} from '../../../gallery/line-format.ts';
import { reportLimits, reportReasons } from '../../../gallery/moderation/report.ts';
import { profileLimits, splitWords } from '../../../gallery/profiles/profile.ts';
import { statuses } from '../../../gallery/project-status.ts';
import { importedLimits } from '../../../gallery/projects/project.ts';
import type { LineKind } from '../kind.ts';
import { tableKind } from '../table-kind.ts';
import { accountKinds } from './accounts.ts';
import { avatarKind } from './avatar.ts';
import { changeKinds } from './change.ts';
import { collectionKinds, handInFileKind } from './collection.ts';
import { contributorKind } from './contributor.ts';
import { erasedKind } from './erased.ts';
import { bytesKind, mediaKind } from './media.ts';
import { notificationKind, notificationSettingKind } from './notification.ts';
import { projectKind } from './project.ts';
import { ratingKind } from './rating.ts';
import { siteKind } from './site.ts';
import { webhookKind } from './webhook.ts';
import { weeklyCountKind } from './weekly-count.ts';

export const lineKinds: readonly LineKind[] = [
  ...changeKinds,
  contributorKind,
  ...accountKinds,
  webhookKind,
  tableKind(
    tables.profileTable,
    {
      contributor: id,
      about: text({ maxLength: profileLimits.about }),
      links: convert(
        list({
          maxItems: profileLimits.links,
          member: text({
            maxLength: profileLimits.link,
            pattern: [/^https:\/\/\S+$/, 'an address that begins with https://'],
          }),
          uniqueBy: (link) => link,
        }),
        (links) => links.join('\n'),
        splitWords,
      ),
      /** The uuids of projects. */
      pinned: convert(
        list({
          maxItems: profileLimits.pinned,
          member: text({ maxLength: 40, pattern: [/^[A-Za-z0-9]+$/, 'the uuid of a project'] }),
          uniqueBy: (uuid) => uuid,
        }),
        (uuids) => uuids.join(' '),
        splitWords,
      ),
      license: optional(oneOf(licenseNames)),
    },
    {
      ownData: {
        rows: (contributor) =>
          sql`contributor = ${contributor} and (about <> '' or links <> '' or pinned <> '' or license is not null)`,
      },
      rights: 'none',
    },
  ),
  avatarKind,
  tableKind(
    tables.followedContributorTable,
    { contributor: id, followed: id, created: instant },
    { ownData: true, describeChange: null, rights: 'none' },
  ),
  tableKind(
    tables.followedTagTable,
    { contributor: id, tag_key: trimmedText({ maxLength: importedLimits.tag }), created: instant },
    { ownData: true, describeChange: null, rights: 'none' },
  ),
  projectKind,
  erasedKind,
  tableKind(
    tables.bookmarkTable,
    { contributor: id, project: id, created: instant },
    { ownData: true, describeChange: null, rights: 'none' },
  ),
  ...collectionKinds,
  mediaKind,
  bytesKind,
  handInFileKind,
  ratingKind,
  tableKind(
    tables.decisionTable,
    {
      id,
      moderator: nullable(id),
      action: oneOf(decisionActions),
      project: nullable(id),
      contributor: id,
      reason: text({ maxLength: maxReasonLength }),
      status: nullable(oneOf(statuses)),
      undoes: nullable(id),
      created: instant,
    },
    {
      ownData: false,
      // What was approved counts for what its maker publishes next.
      rights: {
        name: 'decision',
        columns: ['action', 'project', 'contributor', 'moderator'],
        isFree: async ({ transaction }, { contributor }) =>
          !(await exists(transaction, sql`from account where account.contributor = ${contributor}`)),
      },
    },
  ),
  tableKind(
    tables.reportTable,
    {
      id,
      project: id,
      contributor: id,
      reason: oneOf(reportReasons),
      words: text({ maxLength: reportLimits.words }),
      created: instant,
      modified: instant,
      decision: nullable(id),
    },
    { ownData: true, rights: 'none' },
  ),
  tableKind(
    tables.nameReportTable,
    {
      id,
      contributor: id,
      reporter: id,
      words: text({ maxLength: reportLimits.words }),
      created: instant,
      modified: instant,
      decision: nullable(id),
    },
    { ownData: false, rights: 'none' },
  ),
  siteKind,
  weeklyCountKind,
  notificationKind,
  notificationSettingKind,
];
