// Splits all listed projects into ranges of ids, for the sitemap: many small reads instead of one over a million
// projects. The start of each range is found once and kept: later projects come after it, and a range may grow or
// shrink.

import sql, { type Sql } from 'sql-template-tag';
import { pick, type RowOf } from '../../database/columns.ts';
import type { Database } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { columnOfContributor } from '../contributors/columns.ts';
import { projectColumns } from './columns.ts';
import { isListedSql } from './visibility.ts';

export interface IdRange {
  readonly first: number;
  /** Undefined for the last range, which has no end. */
  readonly last: number | undefined;
}

const idColumn = pick(projectColumns, 'id');
const columns = {
  ...pick(projectColumns, 'uuid', 'slug', 'modified', 'contributor'),
  username: columnOfContributor('username', 'project.contributor'),
};
type ListedProject = RowOf<typeof columns>;

const defaultSize = 5000;
/** An import may add projects to a range that had `defaultSize` when it was found. */
const maxProjects = 40_000;

export class SitemapRanges {
  #starts: readonly number[] = [1];
  readonly #table: Sql;

  constructor(
    private readonly database: Database,
    private readonly size = defaultSize,
  ) {
    this.#table = database.tableByIndex('project', 'project_by_id');
  }

  async list(): Promise<IdRange[]> {
    const starts = [...this.#starts];
    for (;;) {
      const next = await this.database.slowReader.first(
        select(
          idColumn,
          sql`from ${this.#table} where ${isListedSql} and id >= ${starts.at(-1) ?? 1}
              order by id limit 1 offset ${this.size}`,
        ),
      );
      if (!next) break;
      starts.push(next.id);
    }
    this.#starts = starts;
    return starts.map((first, index) => {
      const next = starts[index + 1];
      return { first, last: next === undefined ? undefined : next - 1 };
    });
  }

  loadProjects({ first, last }: IdRange): Promise<ListedProject[]> {
    return this.database.slowReader.all(
      select(
        columns,
        sql`from ${this.#table}
            where ${isListedSql} and id >= ${first} and id <= ${last ?? Number.MAX_SAFE_INTEGER}
            order by id limit ${maxProjects}`,
      ),
    );
  }
}
