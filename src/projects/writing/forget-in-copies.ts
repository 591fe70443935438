// When a work that was made for a group is erased, the copies of its people lose what they took over from it: files (see
// history/redact.ts), and words that were not wholly rewritten, also in earlier versions. Of a redacted version, they lose the words that
// the work itself does not have any more.

import sql, { join, type Sql } from 'sql-template-tag';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { all, execute, integer, pick, type Reader, select } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import type { Write } from '../../core/changes/transact.ts';
import { sortKey } from '../../core/words.ts';
import { toSlug } from '../address.ts';
import { redactedRecord, type VersionContent } from '../history/history.ts';
import { forgetWords, type ProjectWords as Words } from '../hooks.ts';
import type { ProjectRow } from '../project.ts';
import { initialColumns } from '../project-fields.ts';
import { formatTags, parseTags, tagKey } from '../tags.ts';
import { isErased, isErasedSql } from '../visibility/visible-to.ts';
import { forgetResponses } from './forget-responses.ts';
import { lockContributorNames, lockProjects, storeProject } from './store.ts';
import { nextVersion } from './version.ts';

/** So many characters in common are not chance. */
const sharedLength = 16;
/** The copy is looked at in steps: of what it shares, this many characters more may go unnoticed. */
const step = 4;
/** Parts that are cut at a time: a text may have half a million. */
const partsAtATime = 10_000;

const plain = (text: string) => text.replace(/\s+/g, ' ').trim();

/** The texts of sources. Most copies have the same. */
class SourceTexts {
  readonly #parts = new Map<string, ReadonlySet<string>>();

  /** Whether one text has a part of the other, or all of a short one. */
  async isSharedBy(copy: string, source: string): Promise<boolean> {
    const [text, other] = [plain(copy), plain(source)];
    if (other === '') return false;
    if (other.length <= sharedLength + step) return text.includes(other);
    const parts = await this.#partsOf(other);
    for (let start = 0; start + sharedLength <= text.length; start += step)
      if (parts.has(text.slice(start, start + sharedLength))) return true;
    return false;
  }

  /** The text without what one of its versions had, and the present one has not. */
  async cut(text: string, version: string, present: string): Promise<string> {
    const gone = version.trim();
    if (gone === '' || present.includes(gone)) return text;
    if (gone.length <= sharedLength + step) return text.replaceAll(gone, '');
    const [before, now] = [await this.#partsOf(version), await this.#partsOf(present)];
    const isGone = new Uint8Array(text.length);
    for (const [parts, mark] of [
      [before, 1],
      [now, 0],
    ] as const)
      for (let start = 0; start + sharedLength <= text.length; start++) {
        if (parts.has(text.slice(start, start + sharedLength)))
          isGone.fill(mark, start, start + sharedLength);
        if (start % partsAtATime === 0) await nextEventLoopTurn();
      }
    // Half of a character may be left at an end.
    return Array.from({ length: text.length }, (_, at) => (isGone[at] ? '' : text[at]))
      .join('')
      .toWellFormed();
  }

  async #partsOf(text: string): Promise<ReadonlySet<string>> {
    const known = this.#parts.get(text);
    if (known) return known;
    const parts = new Set<string>();
    for (let start = 0; start + sharedLength <= text.length; start++) {
      parts.add(text.slice(start, start + sharedLength));
      if (start % partsAtATime === 0) await nextEventLoopTurn();
    }
    this.#parts.set(text, parts);
    return parts;
  }
}

/** Without the words of the sources. */
async function withoutWordsOf(copy: Words, sources: readonly Words[], texts: SourceTexts): Promise<Words> {
  const has = async (words: string, name: 'title' | 'text' | 'link') => {
    for (const source of sources) if (await texts.isSharedBy(words, source[name] ?? '')) return true;
    return false;
  };
  const tags: string[] = [];
  const sourceTags = sources.flatMap(parseTags).map(tagKey);
  for (const tag of parseTags(copy)) {
    let isShared = false;
    for (const other of sourceTags) isShared ||= await texts.isSharedBy(tagKey(tag), other);
    if (!isShared) tags.push(tag);
  }
  return {
    title: (await has(copy.title, 'title')) ? 'Untitled' : copy.title,
    text: (await has(copy.text, 'text')) ? '' : copy.text,
    tags: formatTags(tags),
    link: copy.link !== null && (await has(copy.link, 'link')) ? null : copy.link,
  };
}

export const wordsOf = ({ title, text, tags, link }: VersionContent): Words => ({
  title,
  text,
  tags: formatTags(tags),
  link: link ?? null,
});

const versionColumns = pick(changeTable.columns, 'sequence', 'record');

/** From the first to the present one. */
async function loadVersions(reader: Reader, { id }: ProjectRow) {
  const versions = await all(reader, versionColumns)`from change
    where kind = 'project' and subject = ${id} and record not in ('', ${redactedRecord}) order by sequence`;
  return versions.map(({ sequence, record }) => ({ sequence, words: wordsOf(JSON.parse(record)) }));
}

/** With the copies of copies; one may have been erased meanwhile. `isWanted` may end with an order and a limit. */
async function lockCopies(
  { transaction }: Write,
  ids: readonly number[],
  isWanted: Sql,
): Promise<ProjectRow[]> {
  const found = await transaction.all(
    select(
      { id: integer() },
      sql`from project where id in (select id from copy) and id not in (${join(ids)})
        and not ${isErasedSql} and ${isWanted}`,
      sql`with recursive copy (id) as (
        select id from project where copied_from in (${join(ids)})
        union select project.id from copy join project on project.copied_from = copy.id)`,
    ),
  );
  if (found.length === 0) return [];
  return lockProjects(transaction, sql`id in (${join(found.map(({ id }) => id))})`);
}

/**
 * A copy that was made for a group, upwards to the work that somebody made: those that still have what was copied. Undefined if one
 * was erased, or a version of one redacted: nobody knows any more which words those were, and they do not come back.
 */
export async function findWholeSources(reader: Reader, source: number): Promise<number[] | undefined> {
  const columns = {
    id: integer(),
    is_whole: integer(sql`case when ${isErasedSql} or exists (select 1 from change
      where kind = 'project' and subject = project.id and record = ${redactedRecord}) then 0 else 1 end`),
  };
  const found = await reader.all(
    select(
      columns,
      sql`from project where id in (select id from source)`,
      sql`with recursive source (id, copied_from, source_maker) as (
        select id, copied_from, source_maker from project where id = ${source}
        union select project.id, project.copied_from, project.source_maker from source
          join project on project.id = source.copied_from and source.source_maker is not null)`,
    ),
  );
  return found.every(({ is_whole }) => is_whole === 1) ? found.map(({ id }) => id) : undefined;
}

async function storeWords(write: Write, before: ProjectRow, words: Words): Promise<void> {
  const { transaction, changeSet } = write;
  const names = await lockContributorNames(transaction, before.contributor);
  const title = { slug: toSlug(words.title), title_key: sortKey(words.title) };
  const record_modified = nextVersion(before, changeSet.at);
  await storeProject(write, 'changed', before, { ...before, ...words, ...title, record_modified }, names);
}

export async function forgetInCopies(write: Write, erased: readonly ProjectRow[]): Promise<void> {
  const { transaction } = write;
  const ids = erased.map(({ id }) => id);
  const texts = new SourceTexts();
  for (const before of await lockCopies(write, ids, sql`source_maker is not null`)) {
    if (isErased(before)) continue;
    await nextEventLoopTurn();
    // The first version of a copy has what it took over.
    const [first] = await loadVersions(transaction, before);
    const without = (words: Words) => withoutWordsOf(words, first ? [first.words, ...erased] : erased, texts);
    await forgetWords(write, before.id, without);
    const words = await without(before);
    await transaction.waitForChanges();
    await execute(transaction)`update change set record = ${redactedRecord}
      where kind = 'project' and subject = ${before.id} and record <> ''`;
    await forgetResponses(transaction, before);
    await storeWords(write, before, words);
  }
}

const names = ['title', 'text', 'tags', 'link'] as const;

/** The words that were taken back: those of the version, as far as the project has them no more. */
export interface TakenBack {
  readonly source: number;
  readonly contributor: number;
  readonly version: Words;
  readonly present: Words;
  readonly actor: number;
  readonly isModerator: boolean;
  readonly reason: string;
  /** The copies up to this one have lost them. */
  readonly last: number;
}

/** Takes the words of the version away, as far as the project has them no more; undefined if there are none of them. */
function withoutWordsOfVersion(version: Words, present: Words) {
  const texts = new SourceTexts();
  return async (words: Words): Promise<Words | undefined> => {
    const isGone = (name: keyof Words) => words[name] === version[name] && version[name] !== present[name];
    const left = {
      title: isGone('title') ? 'Untitled' : words.title,
      text: await texts.cut(words.text, version.text, present.text),
      tags: isGone('tags') ? initialColumns.tags : words.tags,
      link: isGone('link') ? null : words.link,
    };
    return names.some((name) => left[name] !== words[name]) ? left : undefined;
  };
}

/**
 * The next copies, and those of them that had words of the version. A copy of what is open belongs to who made it: only moderators change
 * it.
 */
export async function forgetVersionInCopies(
  write: Write,
  { source, contributor, version, present, isModerator, last }: TakenBack,
  limit: number,
): Promise<{ readonly copies: readonly ProjectRow[]; readonly changed: readonly ProjectRow[] }> {
  const { transaction } = write;
  const withoutVersion = withoutWordsOfVersion(version, present);
  if (last === 0) await forgetWords(write, source, withoutVersion);
  const isTheirs = isModerator ? sql`1 = 1` : sql`(source_maker is not null or contributor = ${contributor})`;
  const isNext = sql`${isTheirs} and id > ${last} order by id limit ${limit}`;
  const changed: ProjectRow[] = [];
  const copies = await lockCopies(write, [source], isNext);
  for (const before of copies.filter((copy) => !isErased(copy))) {
    const sequences: number[] = [];
    for (const { sequence, words } of await loadVersions(transaction, before)) {
      await nextEventLoopTurn();
      if (await withoutVersion(words)) sequences.push(sequence);
    }
    await forgetWords(write, before.id, withoutVersion);
    const left = await withoutVersion(before);
    if (sequences.length === 0 && !left) continue;
    changed.push(before);
    if (sequences.length > 0)
      await execute(
        transaction,
      )`update change set record = ${redactedRecord} where sequence in (${join(sequences)})`;
    await forgetResponses(transaction, before);
    if (left) await storeWords(write, before, left);
  }
  return { copies, changed };
}
