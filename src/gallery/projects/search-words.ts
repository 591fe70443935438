import sql, { type Sql } from 'sql-template-tag';
import type { Reads, Transaction } from '../../database/open.ts';
import { places, type SearchWords } from '../../database/search.ts';
import { displayName } from '../contributors/contributor.ts';
import { longestSearch, wordsOf } from '../words.ts';
import { isErased } from './visible.ts';

interface Searched {
  readonly title: string;
  readonly tags: readonly string[];
  /** The contributor's. */
  readonly name: string;
  readonly text: string;
}

/** What a search for a project looks through, as it is stored. */
export function searchWords(project: Searched): SearchWords {
  const [title, name, words] = [wordsOf(project.title), wordsOf(project.name), wordsOf(project.text)];
  const tags = project.tags.map(wordsOf).filter((tag) => tag.length > 0);
  const room = places - title.length - name.length - tags.flat().length;
  if (words.length <= room) return { title, tags, name, text: words, rest: [] };
  // Some stand in both, so that no phrase is lost where the places end.
  const rest = [...new Set(words.slice(room - longestSearch))];
  return { title, tags, name, text: words.slice(0, room), rest };
}

type Filed = [project: number, words: SearchWords];

/** What stored projects should be found by, as they are today; in the order of their ids. */
export async function filed(reads: Reads, which: Sql): Promise<Filed[]> {
  const projects = await reads.all<{
    id: number;
    title: string;
    tags: string;
    text: string;
    username: string;
    first_name: string;
    last_name: string;
  }>(
    sql`select project.id, title, tags, text, username, first_name, last_name
        from project join contributor on contributor.id = project.contributor
        where ${which} and not ${isErased} order by project.id limit 500`,
  );
  return projects.map((project) => [
    project.id,
    searchWords({ ...project, tags: project.tags.split(', '), name: displayName(project) }),
  ]);
}

/** Files stored projects anew. */
export async function fileAnew(transaction: Transaction, which: Sql): Promise<void> {
  for (let last = 0; ; ) {
    const next = await filed(transaction, sql`${which} and project.id > ${last}`);
    const end = next.at(-1);
    if (!end) return;
    await transaction.putSearchWords(next);
    last = end[0];
  }
}
