// Listed projects to go on with after another one. However many there are, only the newest ones are looked at.

import sql, { join, type Sql } from 'sql-template-tag';
import { all, integer, type Reader } from '#sql';
import type { Project } from '../project.ts';
import { parseTags, tagKey } from '../tags.ts';
import { isListedSql } from '../visibility/visible-to.ts';
import { type BriefProject, briefColumns } from './listing.ts';

export interface MoreProjects {
  readonly byContributor: readonly BriefProject[];
  /** Of others, with some of the same tags: those with most of them first. Remixes and what was remixed are left out. */
  readonly similar: readonly BriefProject[];
}

const maxTags = 5;
/** Of each tag. */
const newestOfTag = 12;

const foundColumns = { ...briefColumns, is_own: integer() };

export async function listMore(reader: Reader, project: Project, limit: number): Promise<MoreProjects> {
  const { id, contributor, copied_from } = project;
  const isSimilar = sql`contributor <> ${contributor} and project.id <> ${copied_from ?? 0}
    and (copied_from is null or copied_from <> ${id})`;
  const found = await all(reader, foundColumns)`from (
      select id as found, is_own, max(created) as created, count(*) as common
      from (${findNewest(project, limit)}) as newest group by is_own, id
    ) as found join project on project.id = found where is_own = 1 or ${isSimilar}
    order by is_own desc, common desc, found.created desc, id desc limit ${2 * limit}`;
  return {
    byContributor: found.filter(({ is_own }) => is_own === 1),
    similar: found.filter(({ is_own }) => is_own === 0).slice(0, limit),
  };
}

/** Their ids; a project with several of the tags is there several times. */
function findNewest({ id, contributor, ...project }: Project, limit: number): Sql {
  const byContributor = sql`select id, 1 as is_own, created from (
    select id, created from project
    where contributor = ${contributor} and ${isListedSql} and content_type <> 'comment' and id <> ${id}
    order by created desc, id desc limit ${limit}) as own`;
  const keys = [...new Set(parseTags(project).map(tagKey))].slice(0, maxTags);
  const byTag = keys.map(
    (key) => sql`select project as id, 0 as is_own, 0 as created from (select project from tag
      where tag_key = ${key} and listed_created is not null and content_type <> 'comment' and project <> ${id}
      order by listed_created desc, project desc limit ${newestOfTag}) as newest`,
  );
  return join([byContributor, ...byTag], ' union all ');
}
