// Finds the unusual parts of an imported project: it is taken as it was, but nobody could write it here.

import sql, { join, type Sql } from 'sql-template-tag';
import { InvalidValue } from '#common/inputs.ts';
import { execute, type SearchWords, select, type Transaction, unionOf } from '#sql';
import { inTrash } from '../../core/project-status.ts';
import { sortKey } from '../../core/words.ts';
import { type ProjectRow, projectColumns } from '../project.ts';
import { projectFields } from '../project-fields.ts';
import { toSearchWords } from '../searching/search-words.ts';
import { addSuggestionWords, offersWords, toSuggestionWords } from '../searching/suggestion-words.ts';
import { projectTable, tagTable } from '../tables.ts';
import { formatTags, toTagRows } from '../tags.ts';
import { initialThread } from '../visibility/thread-visibility.ts';
import { isErasedSql, isListed } from '../visibility/visible-to.ts';
import { finishProjects } from './finish-projects.ts';
import type { ImportContext, KnownContributor } from './import-context.ts';
import type { Batch } from './import-log.ts';
import { exportTable, type LineKind } from './kind.ts';
import { formatProjectLine, type ProjectLine, projectLine } from './project-line.ts';
import { type ExistingProject, protectProjects, referenceColumns } from './project-rights.ts';

function findOddities(project: ProjectLine): string[] {
  const { title, text, tags, content_type, parent, trashed, trashed_by } = project;
  const { rating_count, rating_sum, created, modified } = project;
  const oddities = [
    ruleAgainst('title', title),
    ruleAgainst('text', text),
    ruleAgainst('tags', tags) ?? (countTags(tags) < tags.length ? 'tags: Some are the same tag.' : undefined),
    title.trim() !== title && title.trim() !== '' && 'title: It has spaces around it.',
    content_type === 'comment' && parent === null && 'parent: A comment without one is about nothing.',
    content_type !== 'comment' && parent !== null && 'parent: Only a comment has one.',
    trashed !== null && trashed_by === null && 'trashed_by: Only moderators will be able to restore it.',
    (rating_sum < rating_count || rating_sum > 5 * rating_count) && 'rating_sum: Ratings are from 1 to 5.',
    modified < created && 'modified: It is before created.',
  ];
  return oddities.filter((oddity) => typeof oddity === 'string');
}

function ruleAgainst(name: 'title' | 'text' | 'tags', value: unknown): string | undefined {
  try {
    projectFields[name].read(value);
    return undefined;
  } catch (error) {
    if (error instanceof InvalidValue) return `${name}: ${error.message}`;
    throw error;
  }
}

const countTags = (tags: readonly string[]): number => projectFields.tags.read(tags).length;

export const projectKind: LineKind<ProjectLine> = {
  format: projectLine,
  // Erased projects have lines of their own kind.
  exporter: exportTable(projectTable, projectColumns, formatProjectLine, {
    condition: sql`not ${isErasedSql}`,
    count: sql`select coalesce(sum(count), 0) from project_count`,
  }),

  async importBatch(context, batch) {
    const existing = await findExisting(context, batch);
    context.requireUnique(batch, 'uuid', existing);
    const existingById = new Map(existing.map((row) => [row.id, row]));
    const findProblem = await protectProjects(context, batch, existingById);
    const projects = new Map<number, ImportedProject>();
    for (const { lineNumber, entry } of batch) {
      const problem = await findProblem(entry);
      if (problem) context.refuse(lineNumber, problem);
      const contributor = await context.requireContributor(lineNumber, entry.contributor);
      projects.set(entry.id, { entry, contributor, existing: existingById.get(entry.id) });
      if (entry.made_for !== null || entry.source_maker !== null) context.hasAudiences = true;
    }
    noteReferences(context, [...projects.values()], existing);
    await writeProjects(context, [...projects.values()]);
    context.counts.projects += projects.size;
  },

  describeChange: (entry, text) => ({
    subject: entry.id,
    record: text,
    owner: entry.contributor,
    // Comments are decided later, when their threads are known.
    isListed:
      entry.content_type !== 'comment' &&
      isListed({
        visibility: entry.visibility,
        status: storedStatus(entry),
        thread_visibility: initialThread(entry.content_type),
      }),
  }),
  findOddities,
  idTable: projectTable,
  finishImport: finishProjects,
};

interface ImportedProject {
  readonly entry: ProjectLine;
  readonly contributor: KnownContributor;
  /** The row that it replaces. */
  readonly existing: ExistingProject | undefined;
}

/**
 * Existing projects with an id or a uuid of the batch. Without the index of uuids, during a load, only ids are
 * looked up.
 */
async function findExisting(context: ImportContext, batch: Batch<ProjectLine>) {
  const { transaction, wasEmpty } = context;
  const ids = batch.map(({ entry }) => entry.id);
  // Ids usually rise: no query is needed for ids above all earlier ones.
  const highest = context.highestProjectId;
  context.highestProjectId = Math.max(highest, ...ids);
  if (wasEmpty && Math.min(...ids) > highest) return [];
  const uuids = batch.map(({ entry }) => entry.uuid);
  const find = (condition: Sql) => select(referenceColumns, sql`from project where ${condition}`);
  const byId = find(sql`id in (${join(ids)})`);
  return transaction.all(wasEmpty ? byId : unionOf(byId, find(sql`uuid in (${join(uuids)})`)));
}

function noteReferences(
  context: ImportContext,
  projects: readonly ImportedProject[],
  existing: readonly ExistingProject[],
): void {
  for (const { entry, existing } of projects) {
    const { id, copied_from } = entry;
    if (copied_from !== null && (copied_from >= id || existing)) context.possibleCycles.add(id);
    if (existing && !context.importedProjects.has(id)) context.replacedProjects.add(id);
    if (!context.wasEmpty) context.importedProjects.add(id);
  }
  if (context.wasEmpty) return;
  for (const { copied_from, parent } of [...projects.map(({ entry }) => entry), ...existing])
    for (const id of [copied_from, parent]) if (id !== null) context.referencedProjects.add(id);
}

async function writeProjects(
  { transaction, at, suggestionWords }: ImportContext,
  projects: readonly ImportedProject[],
): Promise<void> {
  const rows = projects.map((project) => toRow(project, at));
  // PostgreSQL writes the rows while their words are split.
  const writing = writeRows(transaction, projects, rows);
  const entries = projects.map(({ entry, contributor }): [number, SearchWords] => [
    entry.id,
    toSearchWords({ ...entry, name: contributor.name }),
  ]);
  await writing;
  if (projects.some(({ existing }) => existing)) await transaction.upsertSearchWords(entries);
  else await transaction.insertSearchWords(entries);
  const words = entries.flatMap(([, words], index) => {
    const row = rows[index];
    return row && offersWords(row) ? toSuggestionWords(words) : [];
  });
  await addSuggestionWords(transaction, words, suggestionWords);
}

async function writeRows(
  transaction: Transaction,
  projects: readonly ImportedProject[],
  rows: readonly ProjectRow[],
): Promise<void> {
  const replacedIds = new Set(projects.flatMap(({ existing }) => existing?.id ?? []));
  const replaced = rows.filter(({ id }) => replacedIds.has(id));
  const added = rows.filter(({ id }) => !replacedIds.has(id));
  // An upsert of a row with a foreign key makes SQLite's full-text index write its pending entries to disk.
  await transaction.insert(projectTable, added);
  if (replaced.length > 0) {
    await transaction.upsert(projectTable, replaced);
    await execute(transaction)`delete from tag where project in (${join([...replacedIds])})`;
  }
  await transaction.insert(tagTable, rows.flatMap(toTagRows));
}

const storedStatus = ({ status, trashed }: ProjectLine) => (trashed === null ? status : inTrash);

function toRow({ entry, contributor, existing }: ImportedProject, at: number): ProjectRow {
  const { rating_count, rating_sum, karma, modified } = entry;
  return {
    ...entry,
    // An older dump does not open what was made for a group since.
    made_for: entry.made_for ?? existing?.made_for ?? null,
    source_maker: entry.source_maker ?? existing?.source_maker ?? null,
    title_key: sortKey(entry.title),
    last_name_key: contributor.last_name_key,
    status: storedStatus(entry),
    tags: formatTags(entry.tags),
    opening_rating_count: rating_count,
    opening_rating_sum: rating_sum,
    opening_karma: karma,
    record_modified: existing ? Math.max(modified, at) : modified,
    root: null,
    thread_visibility: initialThread(entry.content_type),
    trashed_by: entry.trashed === null ? null : entry.trashed_by,
    trashed_status: entry.trashed === null ? null : entry.status,
    earned_karma: 0,
  };
}
