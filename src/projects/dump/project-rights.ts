// The limits of a line in a gallery in use. It may not show what is there to more people than read it now, bring back words and files that were
// taken away, or publish in the name of somebody whose works wait for a review.

import sql, { join } from 'sql-template-tag';
import { all, exists, pick, type RowOf, type Transaction } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import {
  archived,
  draft,
  inTrash,
  isPubliclyReadable,
  published,
  removed,
  type Status,
  toStatus,
  waiting,
} from '../../core/project-status.ts';
import { redactedRecord } from '../history/history.ts';
import type { Media } from '../media/media.ts';
import { queryMedia } from '../media/media-rows.ts';
import { projectColumns } from '../project.ts';
import { projectTable } from '../tables.ts';
import { formatTags } from '../tags.ts';
import { hidesMore, isForFew, isForGroup } from '../visibility/made-for-a-group.ts';
import { isErased } from '../visibility/visible-to.ts';
import type { ImportContext } from './import-context.ts';
import type { Batch } from './import-log.ts';
import type { ProjectLine } from './project-line.ts';
import { rightsAdvice } from './table-kind.ts';

export const referenceColumns = pick(
  projectColumns,
  ...(['id', 'uuid', 'copied_from', 'parent', 'contributor', 'kind', 'offers', 'ends'] as const),
  ...(['made_for', 'source_maker', 'visibility', 'history', 'status', 'publish_at'] as const),
  ...(['trashed', 'trashed_by', 'trashed_status'] as const),
);
export type ExistingProject = RowOf<typeof referenceColumns>;

const wordColumns = pick(projectColumns, 'id', 'slug', 'title', 'content_type', 'link', 'tags', 'text');
type Words = RowOf<typeof wordColumns>;

/** Returns why the line is refused, and then the advice; undefined if it is not. */
export async function protectProjects(
  context: ImportContext,
  batch: Batch<ProjectLine>,
  existingById: ReadonlyMap<number, ExistingProject>,
): Promise<(entry: ProjectLine) => Promise<string | undefined>> {
  const { transaction, protectsAccounts } = context;
  if (!protectsAccounts) return async () => undefined;
  const accounts = await context.findAccounts(batch.map(({ entry }) => entry.contributor));
  const replacing = batch.filter(
    ({ entry }) => existingById.has(entry.id) && !context.isNewProject(entry.id),
  );
  const words =
    replacing.length > 0 ? await loadProtectedWords(context, replacing, accounts) : new Map<number, Words>();
  return async (entry) => {
    const here = context.isNewProject(entry.id) ? undefined : existingById.get(entry.id);
    const problem = here
      ? (findMoved(entry, here) ??
        (await findWidened(transaction, entry, here)) ??
        findBroughtBack(entry, here, words.get(entry.id), accounts.get(entry.contributor) === 'looked after'))
      : findSpeech(entry, accounts.get(entry.contributor));
    return problem && `${problem} ${rightsAdvice}`;
  };
}

function findMoved(entry: ProjectLine, existing: ExistingProject): string | undefined {
  const { id, kind, source_maker } = existing;
  if (isErased(existing)) return `id: ${id} was deleted for good.`;
  const members = [
    ...(['contributor', 'kind', 'parent', 'uuid'] as const),
    ...(kind === 'class' ? (['ends'] as const) : []),
    // Who erases the source finds the copy by it.
    ...(source_maker === null ? [] : (['copied_from'] as const)),
  ];
  const moved = members.find((name) => entry[name] !== existing[name]);
  return moved && `${moved}: ${id} has another one.`;
}

/** A project that only imports have written is the dump’s, so that a gallery can be brought over again and again. */
async function findWidened(transaction: Transaction, entry: ProjectLine, existing: ExistingProject) {
  const widened = findWidenedMember(entry, existing);
  return widened && !(await isOnlyImported(transaction, existing.id)) ? widened : undefined;
}

/** The member that would let more people read the project than it has readers now, or let them do more. */
function findWidenedMember(entry: ProjectLine, existing: ExistingProject): string | undefined {
  const { id, made_for } = existing;
  const status = toStatus(existing);
  if (existing.status === inTrash && (entry.trashed === null || entry.trashed_by !== existing.trashed_by))
    return `trashed: ${id} is in the trash here.`;
  if (hidesMore(existing, entry))
    return made_for !== null || isForGroup(existing)
      ? `visibility: ${id} was made for a class.`
      : `visibility: ${id} was hidden here.`;
  if (readersOf[status] < readersOf[entry.status]) return `status: ${id} was hidden here.`;
  if (opensEarlier(entry, { ...existing, status })) return `publish_at: ${id} would be opened by itself.`;
  if (entry.made_for !== null && entry.made_for !== made_for) return `made_for: ${id} was made for others.`;
  if (existing.source_maker === 'classmate' && entry.source_maker === 'teacher')
    return `source_maker: ${id} has what a classmate has made.`;
  if (existing.history === 'private' && entry.history === 'public')
    return `history: that of ${id} is hidden here.`;
  if (existing.offers !== 'open' && entry.offers === 'open') return `offers: ${id} takes none here.`;
  return undefined;
}

/** More for more readers. What was removed is not made a draft, which its maker could open. */
const readersOf: Readonly<Record<Status, number>> = {
  [removed]: 0,
  [draft]: 1,
  [waiting]: 2,
  [published]: 3,
  [archived]: 3,
};

const opensEarlier = (
  entry: ProjectLine,
  { status, publish_at }: Pick<ProjectLine, 'status' | 'publish_at'>,
) =>
  entry.status === draft &&
  entry.publish_at !== null &&
  !isPubliclyReadable(status) &&
  (status !== draft || publish_at === null || entry.publish_at < publish_at);

/** Its maker has no account here, and nobody here has changed it. */
const isOnlyImported = (transaction: Transaction, id: number): Promise<boolean> =>
  exists(
    transaction,
    sql`from project where id = ${id} and contributor not in (select contributor from account) and not exists (
      select 1 from change where kind = 'project' and subject = ${id} and action <> 'imported'
    ) and not exists (select 1 from change_archive)`,
  );

/** Whether others read it, or will. */
const isPublished = (entry: ProjectLine): boolean =>
  !isForFew(entry) &&
  (isPubliclyReadable(entry.status) || (entry.status === draft && entry.publish_at !== null));

/**
 * The words of projects with a redacted version, of copies of what was made for a class, which may have lost its words, and of people whom others
 * look after: only the present ones are certain.
 */
async function loadProtectedWords(
  { transaction }: ImportContext,
  batch: Batch<ProjectLine>,
  accounts: Awaited<ReturnType<ImportContext['findAccounts']>>,
): Promise<ReadonlyMap<number, Words>> {
  const ids = batch.map(({ entry }) => entry.id);
  const ofPupils = batch.filter(({ entry }) => accounts.get(entry.contributor) === 'looked after');
  const redacted = await all(transaction, pick(changeTable.columns, 'subject'))`from change
    where kind = 'project' and subject in (${join(ids)}) and (record = ${redactedRecord} or action = 'redacted')
    union select id as subject from project where id in (${join(ids)}) and source_maker is not null`;
  const wanted = [...ofPupils.map(({ entry }) => entry.id), ...redacted.map(({ subject }) => subject)];
  if (wanted.length === 0) return new Map();
  const rows = await all(transaction, wordColumns)`from project where id in (${join(wanted)})`;
  return new Map(rows.map((row) => [row.id, row]));
}

function findBroughtBack(
  entry: ProjectLine,
  { source_maker }: ExistingProject,
  words: Words | undefined,
  isLookedAfter: boolean,
): string | undefined {
  // Nobody else will read it, and it is all their own.
  if (!words || (isLookedAfter && !isPublished(entry) && source_maker === null)) return undefined;
  const line: Words = { ...entry, tags: formatTags(entry.tags) };
  const names = Object.keys(wordColumns) as (keyof Words)[];
  const changed = names.find((name) => line[name] !== words[name]);
  if (!changed) return undefined;
  return isLookedAfter && source_maker === null
    ? `${changed}: what ${entry.contributor} publishes is reviewed here.`
    : `${changed}: words of ${entry.id} were taken back here.`;
}

/** For a project that is not here. */
function findSpeech(entry: ProjectLine, account: 'own' | 'looked after' | undefined): string | undefined {
  if (account && entry.kind === 'class')
    return `kind: ${entry.contributor} has an account, and no such class.`;
  return account === 'looked after' && isPublished(entry)
    ? `contributor: what ${entry.contributor} publishes is reviewed here.`
    : undefined;
}

// Files.

interface FileLine extends Omit<Media, 'type' | 'origin'> {
  readonly media_type: Media['type'];
}

/** The same for the same file, wherever it stands among the others, if it is not only kept for later. */
export const contentOfFile = ({ number, position, media_type, name, alt, sizes }: FileLine): string =>
  JSON.stringify([number, position > 0, media_type, name, alt, ...sizes.map(({ hash }) => hash).toSorted()]);

/**
 * The files of those of these projects that get no others: others look after their maker, or somebody has deleted a file. Where the log was
 * archived, nobody knows whether somebody with an account has.
 */
export async function loadProtectedFiles(
  context: ImportContext,
  projects: readonly number[],
): Promise<Map<number, ReadonlySet<string>>> {
  const { transaction, protectsAccounts } = context;
  const there = projects.filter((id) => !context.isNewProject(id));
  if (!protectsAccounts || there.length === 0) return new Map();
  const rows = await all(transaction, pick(projectTable.columns, 'id'))`from project
    where id in (${join(there)}) and (contributor in (select contributor from account
          where looked_after_by is not null or exists (select 1 from change_archive))
      or source_maker is not null
      or exists (select 1 from change where kind = 'media' and action = 'removed' and subject = project.id))`;
  if (rows.length === 0) return new Map();
  const files = await queryMedia(transaction, sql`media.project in (${join(rows.map(({ id }) => id))})`);
  return new Map(
    rows.map(({ id }) => [
      id,
      new Set((files.get(id) ?? []).map(({ type, ...file }) => contentOfFile({ ...file, media_type: type }))),
    ]),
  );
}
