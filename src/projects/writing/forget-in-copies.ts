// When a work that was made for a group is erased, the copies of its people lose what they took over from it: files (see
// redact.ts), and words that were not wholly rewritten, also in earlier versions.

import sql, { join } from 'sql-template-tag';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { execute, first, integer, pick, type Reader, select } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import type { Write } from '../../core/changes/transact.ts';
import { sortKey } from '../../core/words.ts';
import { toSlug } from '../address.ts';
import { initialColumns } from '../fields.ts';
import { redactedRecord } from '../history/history.ts';
import { forgetResponses } from '../history/redact.ts';
import type { ProjectRow } from '../project.ts';
import type { ProjectLine } from '../project-line.ts';
import { formatTags } from '../tags.ts';
import { isErasedSql } from '../visibility/visible-to.ts';
import { lockContributorNames, lockProjects, storeProject } from './store.ts';
import { nextVersion } from './version.ts';

type Words = Pick<ProjectRow, 'title' | 'text' | 'tags' | 'link'>;

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
  const hasSame = (name: keyof Words) => sources.some((source) => source[name] === copy[name]);
  let text = copy.text;
  for (const source of sources) if (await texts.isSharedBy(text, source.text)) text = '';
  return {
    title: hasSame('title') ? 'Untitled' : copy.title,
    text,
    tags: hasSame('tags') ? initialColumns.tags : copy.tags,
    link: hasSame('link') ? null : copy.link,
  };
}

/** The first version of a copy has what it took over. */
async function findFirstVersion(reader: Reader, { id }: ProjectRow): Promise<Words | undefined> {
  const version = await first(reader, pick(changeTable.columns, 'record'))`from change
    where kind = 'project' and subject = ${id} and record not in ('', ${redactedRecord}) order by sequence limit 1`;
  if (!version) return undefined;
  const { title, text, tags, link } = JSON.parse(version.record) as ProjectLine;
  return { title, text, tags: formatTags(tags), link };
}

export async function forgetInCopies(write: Write, erased: readonly ProjectRow[]): Promise<void> {
  const { transaction, changeSet } = write;
  const ids = erased.map(({ id }) => id);
  const found = await transaction.all(
    select(
      { id: integer() },
      sql`from copy`,
      sql`with recursive copy (id) as (
        select id from project where copied_from in (${join(ids)})
        union select project.id from copy join project on project.copied_from = copy.id)`,
    ),
  );
  if (found.length === 0) return;
  const copies = await lockProjects(
    transaction,
    sql`id in (${join(found.map(({ id }) => id))}) and id not in (${join(ids)})
      and source_maker is not null and not ${isErasedSql}`,
  );
  const texts = new SourceTexts();
  for (const before of copies) {
    await nextEventLoopTurn();
    const version = await findFirstVersion(transaction, before);
    const words = await withoutWordsOf(before, version ? [version, ...erased] : erased, texts);
    await transaction.waitForChanges();
    await execute(transaction)`update change set record = ${redactedRecord}
      where kind = 'project' and subject = ${before.id} and record <> ''`;
    await forgetResponses(transaction, before);
    const names = await lockContributorNames(transaction, before.contributor);
    const title = { slug: toSlug(words.title), title_key: sortKey(words.title) };
    const record_modified = nextVersion(before, changeSet.at);
    await storeProject(write, 'changed', before, { ...before, ...words, ...title, record_modified }, names);
  }
}
