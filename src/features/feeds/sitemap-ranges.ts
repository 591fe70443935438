// Splits all listed projects into ranges of ids, for the sitemap: many small reads instead of one over a million
// projects. Each range begins with a project, and has room for so many ids that it never becomes too long.

import sql, { type Sql } from 'sql-template-tag';
import { all, type Database, integer, pick, type RowOf, select } from '#sql';
import { isLookedAfterSql } from '../../core/accounts/looked-after.ts';
import { columnOfContributor } from '../../core/contributors/contributor.ts';
import { coverOfProject } from '../../projects/media/media-rows.ts';
import { projectColumns } from '../../projects/project.ts';
import { isListedSql } from '../../projects/visibility/visible-to.ts';

export interface IdRange {
  readonly first: number;
  /** Undefined for the last range, which has no end. */
  readonly last: number | undefined;
}

const startColumn = { first: integer(sql`first`) };
const columns = {
  ...pick(projectColumns, 'uuid', 'slug', 'modified', 'contributor'),
  username: columnOfContributor('username', 'project.contributor'),
  cover: coverOfProject,
};
type ListedProject = RowOf<typeof columns>;

const defaultSize = 10_000;
/** The last range grows until its index is requested again. Sitemaps have at most 50,000 entries, as does their index. */
const maxProjects = 40_000;
const maxRanges = 50_000;

export class SitemapRanges {
  readonly #table: Sql;

  constructor(
    private readonly database: Database,
    private readonly size = defaultSize,
  ) {
    this.#table = database.tableByIndex('project', 'project_by_id');
  }

  /** Reads one entry of an index for each range. */
  async list(): Promise<IdRange[]> {
    const next = sql`select id from ${this.#table} where ${isListedSql} and id >= start.first + ${this.size} order by id limit 1`;
    const starts = await this.database.slowReader.all(
      select(
        startColumn,
        sql`from start where first is not null limit ${maxRanges}`,
        sql`with recursive start(first) as (
              select cast(1 as bigint) union all select (${next}) from start where first is not null)`,
      ),
    );
    return starts.map(({ first }, index) => {
      const following = starts[index + 1];
      return { first, last: following && following.first - 1 };
    });
  }

  loadProjects({ first, last }: IdRange): Promise<ListedProject[]> {
    return all(this.database.slowReader, columns)`from ${this.#table}
      where ${isListedSql} and id >= ${first} and id <= ${last ?? Number.MAX_SAFE_INTEGER}
        and not exists (select 1 ${isLookedAfterSql(sql`project.contributor`)})
      order by id limit ${maxProjects}`;
  }
}
