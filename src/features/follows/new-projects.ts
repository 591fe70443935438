// The newest projects of the people whom a viewer follows. An index has the newest of each of them, so that it is quick for
// somebody who follows a thousand.

import sql, { type Sql } from 'sql-template-tag';
import { all, integer, pick, type Reader } from '#sql';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { type Project, projectColumns } from '../../projects/project.ts';
import { loadVisible } from '../../projects/reading/listing.ts';
import { isListedSql } from '../../projects/visibility/visible-to.ts';

/** Literal text, so that both databases use the partial index. */
const fromListed = (contributor: Sql): Sql =>
  sql`from project where contributor = ${contributor} and ${isListedSql} and content_type <> 'comment'`;

const personColumns = {
  followed: integer(),
  newest: integer(sql`coalesce((select max(created) ${fromListed(sql`followed`)}), 0)`),
};
const entryColumns = pick(projectColumns, 'id', 'created');

export async function loadFollowedProjects(
  reader: Reader,
  { contributor }: Viewer,
  size: number,
): Promise<Project[]> {
  // The newest projects are by these people, or by fewer of them.
  const people = await all(reader, personColumns)`from followed_contributor
    where contributor = ${contributor} order by newest desc, followed limit ${size}`;
  const found = await Promise.all(
    people.map(
      ({ followed }) =>
        all(
          reader,
          entryColumns,
        )`${fromListed(sql`${followed}`)} order by created desc, id desc limit ${size}`,
    ),
  );
  const newest = found.flat().toSorted((one, other) => other.created - one.created || other.id - one.id);
  return loadVisible(
    reader,
    newest.slice(0, size).map(({ id }) => id),
    isListedSql,
  );
}
