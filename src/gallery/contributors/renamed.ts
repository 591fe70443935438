// A contributor's name stands in what is kept for each of their projects: the sort key and the words to search.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import type { Instant } from '../instant.ts';
import { searchWords } from '../projects/search-words.ts';
import { sortKey } from '../words.ts';
import { type Contributor, displayName } from './contributor.ts';

type Named = Pick<Contributor, 'id' | 'username' | 'first_name' | 'last_name'>;

export async function renamed(transaction: Transaction, contributor: Named, at: Instant): Promise<void> {
  const key = sortKey(contributor.last_name);
  const name = displayName(contributor);
  for (let last = 0; ; ) {
    const projects = await transaction.all<{ id: number; title: string; tags: string; text: string }>(
      sql`select id, title, tags, text from project where contributor = ${contributor.id} and id > ${last} order by id limit 500`,
    );
    await transaction.putSearchWords(
      projects.map((project) => [project.id, searchWords({ ...project, name })]),
    );
    last = projects.at(-1)?.id ?? last;
    if (projects.length === 0) break;
  }
  await transaction.run(
    sql`update project set last_name_key = ${key}, touched = ${at} where contributor = ${contributor.id}`,
  );
}
