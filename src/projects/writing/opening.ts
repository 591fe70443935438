// Decides about a project or a comment that a write opens to others. Every write of a row passes here: where the site
// has a review, it may have to wait for a moderator; it may be published later; and its time becomes that of its first
// listing.

import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import { exists, first, integer, type Reader } from '#sql';
import type { ChangeSet } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { contributorUsageTable } from '../../core/contributors/tables.ts';
import type { Instant } from '../../core/instant.ts';
import {
  archived,
  draft,
  hasStatus,
  isPubliclyReadable,
  publiclyReadableStatuses,
  published,
  statusOnceApproved,
  waiting,
} from '../../core/project-status.ts';
import { type ReviewPolicy, reviewOfCopies } from '../../core/site/review-policy.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { beforeStore } from '../hooks.ts';
import type { ProjectRow } from '../project.ts';
import {
  hidesMore,
  isForFew,
  isOpenToAll,
  keepAudience,
  opensToAll,
  refuseToOpen,
} from '../visibility/made-for-a-group.ts';
import { isListed, isOpen } from '../visibility/visible-to.ts';
import { requireDescriptions } from './descriptions.ts';

/** Of one person: nobody fills the list of the moderators. */
export const maxWaiting = 20;

/** The row as it is to be stored. `filesChanged`: its files do with this write. */
export async function open(
  write: WriteContext,
  before: ProjectRow | undefined,
  wanted: ProjectRow,
  filesChanged = false,
): Promise<ProjectRow> {
  const { changeSet, viewer, transaction } = write;
  requireSchedulable(write, before, wanted);
  if (before) await requireDescriptions(write, before, wanted, filesChanged);
  const asked = await beforeStore(write, before, await keepAudience(write, before, wanted, filesChanged));
  await refuseToOpen(write, before, asked);
  // Nobody reviews what nobody else sees.
  const isHidden = asked.status === waiting && isForFew(asked);
  const after = schedule(isHidden ? { ...asked, status: statusOnceApproved(asked) } : asked, changeSet.at);
  await refuseUnreviewed(write, before, after, filesChanged);
  const policy = reviewOf(viewer, after);
  const waits =
    policy !== undefined &&
    needsReview(before, after, filesChanged) &&
    !(await isTrusted(transaction, after.contributor, policy, after.id));
  // Also for one that comes back from the trash.
  const begins = (waits || after.status === waiting) && before?.status !== waiting;
  if (begins && viewer.contributor === after.contributor) limitWaiting(changeSet, after.contributor);
  if (waits) return { ...after, status: waiting, asked_status: after.status === archived ? archived : null };
  const isDecided = after.status === draft || isPubliclyReadable(after.status);
  return noteFirstListing(changeSet.at, before, isDecided ? { ...after, asked_status: null } : after);
}

function requireSchedulable({ viewer }: WriteContext, before: ProjectRow | undefined, asked: ProjectRow) {
  const { status, publish_at, content_type, contributor } = asked;
  if (publish_at === null || publish_at === before?.publish_at) return;
  if (viewer.contributor !== contributor) throw new Forbidden();
  const isUnpublished =
    status === draft || status === waiting || (status === published && !(before && isOpen(before)));
  if (content_type === 'comment' || !isUnpublished)
    throw new Invalid({ publish_at: [apiText('notPublishable')] });
}

/** A time that has come is none. Until then, the project is a draft, or waits. */
function schedule(row: ProjectRow, at: Instant): ProjectRow {
  const { status, publish_at } = row;
  if (publish_at === null || (status !== draft && status !== published && status !== waiting)) return row;
  if (publish_at <= at) return { ...row, status: status === draft ? published : status, publish_at: null };
  return status === published ? { ...row, status: draft } : row;
}

/** Somebody who is not trusted publishes nothing through the collection of somebody else. */
async function refuseUnreviewed(
  { viewer, transaction }: WriteContext,
  before: ProjectRow | undefined,
  after: ProjectRow,
  filesChanged: boolean,
): Promise<void> {
  const { contributor, review } = viewer;
  if (!review || contributor === null || contributor === after.contributor) return;
  if (!needsReview(before, after, filesChanged) || (await isTrusted(transaction, contributor, review)))
    return;
  throw new Forbidden(apiText('reviewedElsewhere'));
}

/** A copy of what was made for a group leaves it through review, whoever copied it. */
const reviewOf = ({ review, contributor }: Viewer, row: ProjectRow): ReviewPolicy | undefined =>
  row.source_maker === null || contributor !== row.contributor ? review : reviewOfCopies;

const reviewedMembers = ['title', 'text', 'link', 'content_type', 'tags'] as const;

/** Of somebody who is not trusted: one approved work must not become any other. */
function needsReview(before: ProjectRow | undefined, after: ProjectRow, filesChanged: boolean): boolean {
  if (!opensToAll(after)) return false;
  if (!before || !isOpenToAll(before)) return true;
  return (
    filesChanged || hidesMore(before, after) || reviewedMembers.some((name) => before[name] !== after[name])
  );
}

const approvedColumns = { count: integer(sql`count(distinct project)`) };

/** Whether what somebody publishes waits for a moderator. */
export const isReviewed = async (reader: Reader, { contributor, review }: Viewer): Promise<boolean> =>
  contributor !== null && review !== undefined && !(await isTrusted(reader, contributor, review));

/**
 * Whether what the contributor opens need not wait. What is hidden again or was sent back does not count, what was approved while
 * somebody looked after the account does not count after its release, and the opened project does not speak for itself.
 */
export async function isTrusted(
  reader: Reader,
  contributor: number,
  policy: ReviewPolicy,
  opened = 0,
): Promise<boolean> {
  if (policy === reviewOfCopies) return false;
  const isTrustedAccount = sql`from account where contributor = ${contributor} and looked_after_by is null and (trusted = 1 or role <> 'contributor')`;
  if (await exists(reader, isTrustedAccount)) return true;
  const { works } = policy;
  if (works === undefined) return false;
  const approved = await first(reader, approvedColumns)`from decision
    where contributor = ${contributor} and action = 'approved'
      and id > coalesce((select max(id) from decision as release
        where release.contributor = ${contributor} and release.action = 'released'), 0) and project in (
      select id from project where contributor = ${contributor} and id <> ${opened} and visibility <> 'private'
        and ${hasStatus(publiclyReadableStatuses)})
      and not exists (select 1 from decision as later
        where later.project = decision.project and later.action = 'sent_back' and later.id > decision.id)`;
  return (approved?.count ?? 0) >= works;
}

function limitWaiting({ counts }: ChangeSet, contributor: number): void {
  counts.limit(
    contributorUsageTable,
    { contributor, resource: 'waiting' },
    maxWaiting,
    () => new Invalid({ non_field_errors: [apiText('maxWaiting', { max: maxWaiting })] }),
  );
}

/** The newest work stands first in lists and feeds, whenever it was begun. What an import brought keeps its time. */
export function noteFirstListing(
  at: Instant,
  before: Pick<ProjectRow, 'never_listed'> | undefined,
  after: ProjectRow,
): ProjectRow {
  if (after.never_listed === 0 || !isListed(after)) return after;
  if (!before) return { ...after, never_listed: 0 };
  return { ...after, never_listed: 0, created: at, modified: Math.max(after.modified, at) };
}

/** In a query: a moderator has changed the project then. */
const isByModeratorSql = (condition: Sql) => sql`exists (select 1 from decision as made
  where made.project = project.id and made.action = 'changed' and ${condition})`;

/** The condition that the draft was approved as it is, or that only moderators have changed it since. */
export const isApprovedSql: Sql = sql`exists (
  select 1 from decision where decision.project = project.id and decision.contributor = project.contributor
    and action = 'approved' and (decision.created >= project.modified
      or (${isByModeratorSql(sql`made.created >= project.modified`)} and not exists (
        select 1 from change where kind = 'project' and subject = project.id and change.action = 'changed'
          and at > decision.created and not ${isByModeratorSql(sql`made.created = at`)}))))`;
