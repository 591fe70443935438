// Queries for projects. Each starts from what the viewer may see: a hidden project is not found.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import { readOrThrow } from '#common/inputs.ts';
import { all, type Database, existEach, first, integer, one, type Phrase, pick, type RowOf } from '#sql';
import { isAnonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { loadFirstParts, partsTable } from '../hooks.ts';
import type { Media } from '../media/media.ts';
import { loadCovers, loadMedia } from '../media/media-rows.ts';
import { ownerNameColumns, type Project, projectColumns, shownColumns } from '../project.ts';
import { bestFirst, byPlace, newestFirst, oldestFirst, type ProjectOrder } from '../project-order.ts';
import type { SearchEngine } from '../searching/search-engine.ts';
import { SearchCache, SearchListing } from '../searching/search-listing.ts';
import { findReadable } from '../visibility/find-readable.ts';
import {
  discoverableBy,
  isErasedSql,
  listedFor,
  readableBy,
  trashVisibleTo,
} from '../visibility/visible-to.ts';
import { projectFilters } from './filters.ts';
import { idColumn, type ListingOptions, ProjectListing } from './listing.ts';
import { ListingCounts } from './listing-counts.ts';
import { listMore, type MoreProjects } from './more-projects.ts';
import { PositionCache } from './position-cache.ts';
import {
  type AppliedFilter,
  type AppliedFilters,
  engineFilterOf,
  findFirstRows,
  findIndex,
  findTagged,
  hasFewProjects,
  isInIndexById,
  isOwnOnly,
  visibilityOf,
} from './tagged-projects.ts';

const referenceColumns = {
  ...pick(projectColumns, 'id', 'uuid', 'slug', 'title', 'contributor'),
  ...ownerNameColumns,
};
export type ProjectReference = RowOf<typeof referenceColumns>;

const columnsWithTrash = { ...shownColumns, trashed: projectColumns.trashed };
export type ProjectWithTrash = RowOf<typeof columnsWithTrash>;

const replyColumns = (isReply: Sql, limit: number) => ({
  id: integer(sql`target.id`),
  count: integer(
    sql`(select count(*) from (select 1 from project where ${isReply} limit ${limit}) as counted)`,
  ),
});

const contentTypeColumns = {
  content_type: projectColumns.content_type,
  count: integer(sql`count(*)`),
};
export type ContentTypeCount = RowOf<typeof contentTypeColumns>;

export type ProjectList = ProjectListing | SearchListing;

export class ProjectFinder {
  #positions = new PositionCache();
  readonly #searches: SearchCache;
  #counts: ListingCounts;

  /** Times without an offset are in the time zone. */
  constructor(
    private readonly database: Database,
    readonly timeZone: string,
    searchEngine?: SearchEngine,
  ) {
    this.#counts = new ListingCounts(database);
    this.#searches = new SearchCache(database, searchEngine);
  }

  /** Takes values that were parsed already; ignores names that are not filters. */
  toAppliedFilters(values: Readonly<Record<string, unknown>>, query: URLSearchParams): AppliedFilters {
    const texts = new Map(query);
    const filters = new Map<string, AppliedFilter>();
    for (const [name, value] of Object.entries(values)) {
      const filter = Object.hasOwn(projectFilters, name) ? projectFilters[name] : undefined;
      if (filter) filters.set(name, { filter, text: texts.get(name) ?? '', value });
    }
    return filters;
  }

  /** One filter from its text; throws NotFound if the text is invalid. */
  parseFilter(name: string, text: string): AppliedFilters {
    const filter = projectFilters[name];
    if (!filter) throw new NotFound();
    const value = readOrThrow(filter, text, () => new NotFound(), this);
    return this.toAppliedFilters({ [name]: value }, new URLSearchParams([[name, text]]));
  }

  async find(viewer: Viewer, id: number, filters: AppliedFilters = new Map()): Promise<Project> {
    return findReadable(this.database, viewer, id, this.#conditions(viewer, filters));
  }

  async findByUuid(viewer: Viewer, uuid: string): Promise<Project> {
    return findReadable(this.database, viewer, { uuid });
  }

  /**
   * The project or comment that a comment replies to, unless it is hidden from the viewer: a viewer who may open the
   * comment may see it. Undefined for a project.
   */
  async findParent(viewer: Viewer, { parent }: Pick<Project, 'parent'>): Promise<Project | undefined> {
    if (parent === null) return undefined;
    return first(this.database, shownColumns)`from project where id = ${parent} and ${readableBy(viewer)}`;
  }

  /** The accepted answer to a question, unless it is hidden from the viewer or is no comment on it. */
  async findAnswer(
    viewer: Viewer,
    { id, answer, content_type }: Pick<Project, 'id' | 'answer' | 'content_type'>,
  ): Promise<Project | undefined> {
    if (answer === null || content_type !== 'question') return undefined;
    const isAnswer = sql`parent = ${id} and content_type = 'comment' and ${discoverableBy(viewer)}`;
    return first(this.database, shownColumns)`from project where id = ${answer} and ${isAnswer}`;
  }

  /** Without a requested order: best match first if there is a search, otherwise newest first. */
  list(viewer: Viewer, filters: AppliedFilters = new Map(), requestedOrder?: ProjectOrder): ProjectList {
    const phrases = filters.get('search')?.value as readonly Phrase[] | undefined;
    if (phrases?.length) return this.#listMatches(viewer, filters, phrases, requestedOrder ?? bestFirst);
    if (filters.has('collection') && !requestedOrder) return this.#listInPlace(viewer, filters);
    const order = requestedOrder ?? newestFirst;
    const ownOnly = isOwnOnly(filters);
    const hasStoredCounts = !ownOnly && [...filters.values()].every(({ filter }) => filter.hasStoredCounts);
    const index = ownOnly ? undefined : findIndex(filters, order);
    const tagged = findTagged(filters, (others) => this.#conditions(viewer, others));
    return this.#createListing({
      condition: this.#listedCondition(viewer, filters),
      visibility: visibilityOf(viewer, filters),
      order,
      hasStoredCounts,
      index,
      isListed: true,
      tagged,
      firstRows: ownOnly
        ? undefined
        : findFirstRows(
            filters,
            (name) => this.database.tableByIndex('project', name),
            (others) => this.#listedCondition(viewer, others),
            order,
          ),
    });
  }

  /** Nobody learns of what they may not find: the place counts the others only. */
  #listInPlace(viewer: Viewer, filters: AppliedFilters): ProjectListing {
    const collection = filters.get('collection')?.value;
    const visibility = discoverableBy(viewer);
    const table = sql`(
      select project.*, row_number() over (order by item.position, item.part) as place
      from ${partsTable()} as item join project on project.id = item.part
      where item.whole = ${collection} and ${visibility}) as project`;
    return this.#createListing({
      condition: this.#listedCondition(viewer, filters),
      visibility,
      order: byPlace,
      table,
    });
  }

  #listMatches(
    viewer: Viewer,
    filters: AppliedFilters,
    phrases: readonly Phrase[],
    order: ProjectOrder,
  ): SearchListing {
    const otherFilters = new Map([...filters].filter(([name]) => name !== 'search'));
    const options = {
      phrases,
      condition: this.#listedCondition(viewer, otherFilters),
      visibility: visibilityOf(viewer, filters),
      order,
      isNewestListed: isInIndexById(otherFilters, order),
      hasFewProjects: hasFewProjects(filters),
      isAdjustable: isAnonymous(viewer) && isInIndexById(otherFilters, bestFirst),
      engineFilter: engineFilterOf(viewer, filters),
    };
    return new SearchListing(this.database, this.#searches, options, shownColumns);
  }

  /** Which of the phrases a project in the listing has. */
  haveMatches(viewer: Viewer, filters: AppliedFilters, phrases: readonly Phrase[]): Promise<boolean[]> {
    const condition = this.#listedCondition(viewer, filters);
    return existEach(
      this.database.slowReader,
      phrases.map((phrase) => sql`from ${projectsWith(this.database, phrase)} and ${condition}`),
    );
  }

  /** The comments of a project, or the replies to a comment, oldest first. */
  listComments(viewer: Viewer, { id, content_type }: Pick<Project, 'id' | 'content_type'>): ProjectListing {
    const column = content_type === 'comment' ? 'parent' : 'root';
    const isComment = sql`${raw(column)} = ${id} and content_type = 'comment' and ${discoverableBy(viewer)}`;
    const index = `project_by_${column}`;
    return this.#createListing({ condition: isComment, visibility: isComment, order: oldestFirst, index });
  }

  /** Titles and names of projects that others refer to, without those that the viewer may not find. */
  async loadReferences(viewer: Viewer, ids: readonly number[]): Promise<Map<number, ProjectReference>> {
    if (ids.length === 0) return new Map();
    const rows = await all(this.database, referenceColumns)`from project
      where id in (${join([...new Set(ids)])}) and ${discoverableBy(viewer)}`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The files of projects that the viewer may see. */
  loadMedia(ids: readonly number[]): Promise<Map<number, Media[]>> {
    return loadMedia(this.database, ids);
  }

  /** The first picture of each project. */
  loadCovers(ids: readonly number[]): Promise<Map<number, Media>> {
    return loadCovers(this.database, ids);
  }

  /** The first ones of the projects of which each consists. */
  loadFirstParts(viewer: Viewer, projects: readonly Project[]): ReturnType<typeof loadFirstParts> {
    return loadFirstParts(this.database, viewer, projects);
  }

  /** The id of a present or erased project, for viewers who may see every version of it. */
  async findIdByUuid(uuid: string): Promise<number | undefined> {
    return (await first(this.database, idColumn)`from project where uuid = ${uuid}`)?.id;
  }

  /** Projects that the viewer may open. Moderators get them in any state, with the time when they were moved to the trash. */
  async loadWithTrash(viewer: Viewer, ids: readonly number[]): Promise<Map<number, ProjectWithTrash>> {
    if (ids.length === 0) return new Map();
    const isShown = viewer.isModerator ? sql`not ${isErasedSql}` : readableBy(viewer);
    const rows = await all(this.database, columnsWithTrash)`from project
      where id in (${join([...new Set(ids)])}) and ${isShown}`;
    return new Map(rows.map((row) => [row.id, row]));
  }

  /** The number of direct replies to each project or comment, up to `limit`. */
  async countReplies(viewer: Viewer, ids: readonly number[], limit: number): Promise<Map<number, number>> {
    if (ids.length === 0) return new Map();
    const isReply = sql`parent = target.id and content_type = 'comment' and ${discoverableBy(viewer)}`;
    const rows = await all(this.database, replyColumns(isReply, limit))`from project as target
      where target.id in (${join([...ids])})`;
    return new Map(rows.map(({ id, count }) => [id, count]));
  }

  /** The number of a contributor's listed projects of each content type. */
  countByContentType(viewer: Viewer, contributor: number): Promise<ContentTypeCount[]> {
    return all(this.database.slowReader, contentTypeColumns)`from project
      where contributor = ${contributor} and ${listedFor(viewer, { hasStatusFilter: false, ownOnly: false, collections: true })}
      group by content_type`;
  }

  /** Those of the projects that lists show to the viewer, in the given order. */
  async loadListed(viewer: Viewer, contributor: number, uuids: readonly string[]): Promise<Project[]> {
    if (uuids.length === 0) return [];
    const rows = await all(this.database, shownColumns)`from project
      where uuid in (${join([...uuids])}) and contributor = ${contributor}
      and ${listedFor(viewer, { hasStatusFilter: false, ownOnly: false, collections: true })}`;
    return rows.toSorted((project, other) => uuids.indexOf(project.uuid) - uuids.indexOf(other.uuid));
  }

  /** The viewer's trash; includes projects that a moderator moved there. */
  listTrash(viewer: Viewer): ProjectListing {
    const condition = trashVisibleTo(viewer);
    return this.#createListing({ condition, visibility: condition, order: newestFirst });
  }

  /** A project that the viewer may restore: only moderators restore what somebody else moved to the trash. */
  async findRestorable(viewer: Viewer, id: number): Promise<Project> {
    const isTrashedByViewer = viewer.isModerator ? sql`1 = 1` : sql`trashed_by = ${viewer.contributor}`;
    return one(this.database, shownColumns)`from project
      where id = ${id} and ${trashVisibleTo(viewer)} and ${isTrashedByViewer}`;
  }

  /** For the end of a project's page. */
  listMore(project: Project, limit: number): Promise<MoreProjects> {
    return listMore(this.database, project, limit);
  }

  #createListing(options: ListingOptions): ProjectListing {
    return new ProjectListing(this.database, this.#positions, this.#counts, options, shownColumns);
  }

  #listedCondition(viewer: Viewer, filters: AppliedFilters): Sql {
    return join([visibilityOf(viewer, filters), ...this.#conditions(viewer, filters)], ' and ');
  }

  #conditions(viewer: Viewer, filters: AppliedFilters): Sql[] {
    const context = { viewer, database: this.database };
    return [...filters.values()].map(({ filter, value }) => filter.condition(value, context));
  }
}

/** SQLite's planner keeps the order of a cross join. */
export const projectsWith = (database: Pick<Database, 'matchingProjects'>, phrase: Phrase): Sql =>
  sql`(${database.matchingProjects([phrase])}) as found cross join project where project.id = found.project`;
