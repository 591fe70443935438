// Listed projects to go on with after another one. However many there are, only the newest ones are looked at.

import sql, { join, type Sql } from 'sql-template-tag';
import { all, integer, type Reader } from '#sql';
import { type Project, shownColumns } from '../project.ts';
import { parseTags, tagKey } from '../tags.ts';
import { isListedSql } from '../visibility/visible-to.ts';

export interface MoreProjects {
  readonly byContributor: readonly Project[];
  /** Of others, with some of the same tags: those with most of them first. Remixes and what was remixed are left out. */
  readonly similar: readonly Project[];
}

const maxTags = 5;
/** Of each tag, and to load. */
const newestOfTag = 12;
/** Of the contributor, comments too. */
const newestOfContributor = 60;

const foundColumns = { id: integer(), is_own: integer(), common: integer(sql`count(*)`) };

export async function listMore(reader: Reader, project: Project, limit: number): Promise<MoreProjects> {
  const { id, contributor, copied_from } = project;
  const found = await all(reader, foundColumns)`from (${findNewest(project, limit)}) as found
    group by is_own, id order by is_own desc, common desc, id desc limit ${limit + newestOfTag}`;
  if (found.length === 0) return { byContributor: [], similar: [] };
  const ids = found.map((row) => row.id);
  const rows = await all(reader, shownColumns)`from project where id in (${join(ids)}) and ${isListedSql}`;
  const projects = rows.toSorted((one, other) => ids.indexOf(one.id) - ids.indexOf(other.id));
  const isSimilar = (other: Project) =>
    other.contributor !== contributor && other.copied_from !== id && other.id !== copied_from;
  return {
    byContributor: projects
      .filter((other) => other.contributor === contributor)
      .toSorted((one, other) => other.created - one.created)
      .slice(0, limit),
    similar: projects.filter(isSimilar).slice(0, limit),
  };
}

/** Their ids; a project with several of the tags is there several times. */
function findNewest(project: Project, limit: number): Sql {
  const byContributor = sql`select id, 1 as is_own from (
    select id, created from (
      select id, created, content_type, visibility, status, thread_visibility from project
      where contributor = ${project.contributor} order by created desc, id desc limit ${newestOfContributor}) as newest
    where ${isListedSql} and content_type <> 'comment' and id <> ${project.id}
    order by created desc, id desc limit ${limit}) as own`;
  const keys = [...new Set(parseTags(project).map(tagKey))].slice(0, maxTags);
  const byTag = keys.map(
    (key) => sql`select project as id, 0 as is_own from (select project from tag
      where tag_key = ${key} and listed_created is not null and content_type <> 'comment' and project <> ${project.id}
      order by listed_created desc, project desc limit ${newestOfTag}) as newest`,
  );
  return join([byContributor, ...byTag], ' union all ');
}
