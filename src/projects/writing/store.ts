// Writes a project's row. In the same transaction, data derived from it is updated by the difference to the row
// before.

import sql, { join, type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { all, countUpTo, execute, exists, first, pick, type Transaction } from '#sql';
import type { ActionOf } from '../../core/changes/change-kinds.ts';
import { hasManyUnread } from '../../core/changes/many-unread.ts';
import type { Change, Write } from '../../core/changes/transact.ts';
import { type ContributorNames, displayName, namesWithSortKey } from '../../core/contributors/contributor.ts';
import type { Instant } from '../../core/instant.ts';
import { isPubliclyReadable } from '../../core/project-status.ts';
import { formatProjectLine } from '../dump/project-line.ts';
import { limitVersions } from '../history/thin-history.ts';
import { isInAudience, notifyMore, storeRelated } from '../hooks.ts';
import { type ProjectRow, projectColumns, projectLimits } from '../project.ts';
import { rebuildSearchEntries, toSearchWords } from '../searching/search-words.ts';
import { addSuggestionWords, offersWords, splitSuggestionWords } from '../searching/suggestion-words.ts';
import { projectTable, tagTable } from '../tables.ts';
import { parseTags, toTagRows } from '../tags.ts';
import { isForFew, isForGroup } from '../visibility/made-for-a-group.ts';
import { isErased, isListed, isPublic } from '../visibility/visible-to.ts';
import { adjustKarma } from './karma.ts';
import { adjustProjectCounts } from './project-counts.ts';
import { updateThreadVisibility } from './update-threads.ts';
import { nextVersionSql } from './version.ts';

const ownerColumns = pick(projectColumns, 'id', 'contributor');

/**
 * Notifies of a comment or a copy once it is public, or open to its group: then the people there. A copy is private at first:
 * until then, nobody else learns of it. The author of the comment that is answered comes first, who may also own the project.
 */
async function notifyOfProject(
  { transaction, changeSet }: Write,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  if (!isAnnounced(after) || (before && isAnnounced(before))) return;
  const { id, contributor: actor, parent, root, copied_from } = after;
  const reasons = [
    ...(parent !== null && parent !== root ? [{ of: parent, kind: 'answered' as const }] : []),
    ...(root !== null ? [{ of: root, kind: 'commented' as const }] : []),
    ...(copied_from !== null ? [{ of: copied_from, kind: 'copied' as const }] : []),
  ];
  if (reasons.length === 0) return;
  const owners = await all(transaction, ownerColumns)`from project
    where id in (${join(reasons.map(({ of }) => of))})`;
  for (const { of, kind } of reasons) {
    const contributor = owners.find((owner) => owner.id === of)?.contributor;
    if (contributor === undefined || contributor === actor) continue;
    if (!(await mayLearnOf(transaction, after, contributor))) continue;
    if (!(await hasManyUnread(transaction, contributor, actor)))
      changeSet.notify('project', id, { contributor, kind, actor });
  }
}

/** Whether more people than its author and moderators see it: everybody, a group, or the maker of hidden work. */
const isAnnounced = (row: ProjectRow): boolean =>
  isPublic(row) ||
  (isPubliclyReadable(row.status) &&
    row.made_for !== null &&
    isForFew(row) &&
    (isForGroup(row) || row.made_for === row.root));

async function mayLearnOf(transaction: Transaction, row: ProjectRow, contributor: number): Promise<boolean> {
  if (!isForGroup(row)) return true;
  const isPerson = isInAudience(sql`contributor.id`, sql`${row.made_for}`);
  return exists(transaction, sql`from contributor where id = ${contributor} and ${isPerson}`);
}

const idColumn = pick(projectTable.columns, 'id');

/**
 * Loads and locks the rows that match a condition. The projects whose threads contain the matching comments are
 * locked first: how much they hide of a thread must not change meanwhile. A comment that begins to match between the
 * two queries is left out, because its project is not locked.
 */
export async function lockProjects(transaction: Transaction, condition: Sql): Promise<ProjectRow[]> {
  // Sent together, and run one after the other.
  const [roots, rows] = await Promise.all([
    all(transaction, idColumn)`from project
      where id in (select root from project where ${condition} and root is not null)
      order by id ${transaction.forUpdate}`,
    all(transaction, projectColumns)`from project
      where ${condition} order by id ${transaction.forUpdate}`,
  ]);
  const locked = new Set(roots.map(({ id }) => id));
  return rows.filter(({ root }) => root === null || locked.has(root));
}

/** Prevents a change of the names until the commit. */
export async function lockContributorNames(transaction: Transaction, contributor: number) {
  const names = await first(transaction, namesWithSortKey)`from contributor
    where id = ${contributor} ${transaction.forShare}`;
  if (!names) throw new Error(`there is no contributor ${contributor}`);
  return names;
}

/** The first reason to notify somebody counts. */
async function notify(write: Write, before: ProjectRow | undefined, after: ProjectRow): Promise<void> {
  await notifyOfProject(write, before, after);
  await notifyMore(write, before, after);
}

/** Writes a row and updates data derived from it. */
export async function storeProject(
  write: Write,
  action: ActionOf<'project'>,
  before: ProjectRow | undefined,
  after: ProjectRow,
  names: ContributorNames,
): Promise<void> {
  const { transaction, changeSet } = write;
  const tagsChanged = (before?.tags ?? '') !== after.tags;
  changeSet.add(toChange(action, before, after));
  adjustProjectCounts(changeSet, before, after);
  const storeRow = () =>
    before ? transaction.upsert(projectTable, [after]) : transaction.insert(projectTable, [after]);
  // Very many tags are sent in another way, which overtakes: they refer to the row.
  const isFirst = parseTags(after).length > projectLimits.tags;
  if (isFirst) await storeRow();
  // Sent without waiting in between: PostgreSQL may be remote.
  await Promise.all([
    isFirst ? undefined : storeRow(),
    tagsChanged || haveOtherTagRows(before, after) ? storeTags(transaction, before, after) : undefined,
    !before || tagsChanged || before.title !== after.title || before.text !== after.text
      ? storeSearchWords(transaction, after, names)
      : undefined,
    storeSuggestionWords(transaction, before, after),
    before ? limitVersions(transaction, after.id) : undefined,
    ...storeRelated(write, before, after),
    adjustKarma(write, before, after),
    notify(write, before, after),
    before && after.content_type !== 'comment' ? updateThreadVisibility(write, before, after) : undefined,
  ]);
}

function storeSearchWords(transaction: Transaction, row: ProjectRow, names: ContributorNames): Promise<void> {
  const words = toSearchWords({ ...row, tags: parseTags(row), name: displayName(names) });
  return transaction.upsertSearchWords([[row.id, words]]);
}

async function storeSuggestionWords(
  transaction: Transaction,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<void> {
  if (!offersWords(after)) return;
  const hasSameWords = before?.title === after.title && before.tags === after.tags && offersWords(before);
  if (!hasSameWords) await addSuggestionWords(transaction, splitSuggestionWords(after));
}

const haveOtherTagRows = (before: ProjectRow | undefined, after: ProjectRow) =>
  before !== undefined &&
  (isListed(before) !== isListed(after) ||
    before.content_type !== after.content_type ||
    before.created !== after.created);

async function storeTags(transaction: Transaction, before: ProjectRow | undefined, after: ProjectRow) {
  if (before?.tags) await execute(transaction)`delete from tag where project = ${after.id}`;
  if (!after.tags) return;
  await transaction.insert(tagTable, toTagRows(after));
  if (after.root !== null) await requireFewTags(transaction, after.root);
}

async function requireFewTags(transaction: Transaction, root: number): Promise<void> {
  const { tagsOfComments } = projectLimits;
  const ofComments = sql`from tag where project in (select id from project where root = ${root})`;
  if ((await countUpTo(tagsOfComments + 1, transaction, ofComments)) > tagsOfComments)
    throw new Invalid({ tags: [apiText('commentTags', { max: tagsOfComments })] });
}

function toChange(action: ActionOf<'project'>, before: ProjectRow | undefined, after: ProjectRow): Change {
  return {
    action,
    kind: 'project',
    subject: after.id,
    // The log keeps nothing of an erased project.
    record: isErased(after) ? '' : formatProjectLine(after),
    owner: after.contributor,
    listed: (before && isListed(before)) || isListed(after),
  };
}

/** For the projects of the contributor that `isAffected` selects. Call it after the contributor's row has the new name. */
export async function propagateName(
  transaction: Transaction,
  contributor: number,
  isAffected: Sql,
  at: Instant,
): Promise<void> {
  await rebuildSearchEntries(transaction, isAffected);
  await execute(transaction)`update project set last_name_key = (select last_name_key from contributor
    where id = ${contributor}),
      record_modified = ${nextVersionSql(at)} where ${isAffected}`;
}
