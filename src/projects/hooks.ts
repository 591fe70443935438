// Where features have a say about projects. They are asked in the order of features/index.ts.

import sql, { join, type Sql } from 'sql-template-tag';
import type { ApiText } from '#common/api-text.ts';
import { type Database, orAny, type Reader, type Transaction } from '#sql';
import type { Write } from '../core/changes/transact.ts';
import type { WriteContext } from '../core/changes/write.ts';
import { once } from '../core/feature.ts';
import type { Viewer } from '../core/viewer/viewer.ts';
import type { Audience, Project, ProjectRow } from './project.ts';

/** A project on which, below which, or in whose collection, somebody writes. */
export type AddressedProject = Pick<ProjectRow, 'id' | 'contributor' | 'visibility' | 'status'>;
export type CommentedProject = AddressedProject & Pick<ProjectRow, 'kind'>;

/** The members of a project with words. */
export type ProjectWords = Pick<ProjectRow, 'title' | 'text' | 'tags' | 'link'>;

interface ProjectHooks {
  /**
   * Of a project that is no comment, in a query: whether the viewer reads it and, while it is published, what is said below it, beside
   * what everybody does. Not asked for visitors and moderators.
   */
  readableBy?(viewer: Viewer, table: string): Sql | undefined;
  /** The same for a project that everybody sees: whether the viewer reads what was said below it for a group. */
  hasGroupComments?(viewer: Viewer, table: string): Sql | undefined;
  /** The same by its id, if it is readable. */
  findableById?(viewer: Viewer): Sql | undefined;
  /** The groups of people to which the viewer belongs. What is made for a group says so: see visibility/made-for-a-group.ts. */
  audiencesOf?(viewer: Viewer): readonly number[];
  /** Of a contributor and a group, both in a query: whether the one belongs to the other. */
  isInAudience?(contributor: Sql, audience: Sql): Sql;
  /** For whom a copy is that the viewer makes of somebody else's hidden work; undefined if they may make none. */
  audienceOfCopy?(
    reader: Reader,
    viewer: Viewer,
    source: Pick<ProjectRow, 'id' | 'contributor'>,
  ): Promise<Audience | undefined>;
  /** The group that reads the comments on a hidden project. */
  audienceOfComments?(write: WriteContext, project: CommentedProject): Promise<number | undefined>;
  /**
   * Why the viewer does not write there what this person will read, who made the project or said something below it, if that is so.
   * Pages offer no form then.
   */
  refusesWords?(
    reader: Reader,
    viewer: Viewer,
    project: AddressedProject,
    person: number,
  ): Promise<ApiText | undefined>;
  /** The row as it is to be stored: for whom it is. It may wait for a review then. Throws if it must not be. */
  beforeStore?(
    write: WriteContext,
    before: ProjectRow | undefined,
    after: ProjectRow,
  ): ProjectRow | Promise<ProjectRow>;
  /**
   * After a row was stored whose visibility is new: a work comes into the groups for which it is. `madeFor` is the one for which it was
   * made before.
   */
  putIntoGroups?(write: WriteContext, after: ProjectRow, madeFor: number | null): Promise<void>;
  /** Why nobody rates or keeps the project, if that is so. It is not offered for sharing either. */
  refusesKeeping?(project: Pick<ProjectRow, 'kind'>): ApiText | undefined;
  /** Whether the project stays when its contributor deletes everything. */
  outlivesContributor?(project: ProjectRow): boolean;
  /** Whether the viewer changes the project as its owner does, except who sees it. */
  changesAsOwner?(viewer: Viewer, project: Pick<ProjectRow, 'id'>): boolean;
  /** A query for the projects of which others consist: `whole`, `part` and `position`. */
  readonly parts?: Sql;
  /** For covers: by the projects, the first ones of those of which they consist that the viewer may find. */
  firstParts?(
    reader: Reader,
    viewer: Viewer,
    projects: readonly Project[],
  ): Promise<ReadonlyMap<number, readonly Project[]>>;
  /** Before a changed row is stored. */
  beforeChange?(write: Write, before: ProjectRow, after: ProjectRow): Promise<void>;
  /** While a row is stored, beside its tags and figures. */
  storeRelated?(write: Write, before: ProjectRow | undefined, after: ProjectRow): Promise<void> | undefined;
  /** When somebody rates it who had not. */
  afterFirstRating?(write: Write, project: ProjectRow): void;
  /** Notifies people of it, after the reasons of the gallery itself: the first reason to notify somebody counts. */
  notify?(write: Write, before: ProjectRow | undefined, after: ProjectRow): Promise<void>;
  /** Before the files of a project change. */
  beforeFiles?(write: Write, project: number): Promise<void>;
  /** The highest number of a file that the feature knows: no new file gets one that is not higher. */
  findUsedNumber?(reader: Reader, project: number): Promise<number>;
  /**
   * Forgets words that a project, or one that it was copied from, may not have any more. `without` returns undefined for words that may
   * stay.
   */
  forgetWords?(
    write: Write,
    project: number,
    without: (words: ProjectWords) => Promise<ProjectWords | undefined>,
  ): Promise<void>;
  /** Takes away copied files that were deleted from the project to which they were uploaded. */
  withdrawFiles?(transaction: Transaction, origin: number): Promise<void>;
  /** Before a project comes into a collection, perhaps again. */
  beforeCollected?(transaction: Transaction, collection: number, project: number): Promise<void>;
  /** The versions that are not thinned out. */
  keptVersions?(database: Database | Transaction, project: number): Promise<ReadonlySet<number>>;
  /** A condition for changes of projects without a version that are not moved into the archive. */
  readonly keptChanges?: Sql;
}

declare module '../core/feature.ts' {
  interface Feature {
    readonly project?: ProjectHooks;
  }
}

/** The answers of the features at a hook. */
const all = <Name extends keyof ProjectHooks>(name: Name) =>
  once((features) =>
    features.flatMap(({ project }): NonNullable<ProjectHooks[Name]>[] => {
      const hook = project?.[name];
      return hook === undefined ? [] : [hook as NonNullable<ProjectHooks[Name]>];
    }),
  );

type Ask<Name extends keyof ProjectHooks> = NonNullable<ProjectHooks[Name]>;
type Step =
  | 'putIntoGroups'
  | 'beforeChange'
  | 'notify'
  | 'beforeFiles'
  | 'forgetWords'
  | 'withdrawFiles'
  | 'beforeCollected';

/** Asks one feature after the other. */
function inTurn<Name extends Step>(name: Name) {
  const asked = all(name) as () => ((...values: Parameters<Ask<Name>>) => Promise<void>)[];
  return async (...values: Parameters<Ask<Name>>): Promise<void> => {
    for (const ask of asked()) await ask(...values);
  };
}

export const putIntoGroups = inTurn('putIntoGroups');
export const beforeChange = inTurn('beforeChange');
export const notifyMore = inTurn('notify');
export const beforeFiles = inTurn('beforeFiles');
export const forgetWords = inTurn('forgetWords');
export const withdrawFiles = inTurn('withdrawFiles');
export const beforeCollected = inTurn('beforeCollected');

const usedNumbers = all('findUsedNumber');
export const findUsedNumbers = (reader: Reader, project: number): Promise<number[]> =>
  Promise.all(usedNumbers().map((ask) => ask(reader, project)));

const steps = all('beforeStore');
export async function beforeStore(
  write: WriteContext,
  before: ProjectRow | undefined,
  after: ProjectRow,
): Promise<ProjectRow> {
  let row = after;
  for (const step of steps()) row = await step(write, before, row);
  return row;
}

/** The first answer of a feature. */
function firstOf<Name extends 'audienceOfCopy' | 'audienceOfComments' | 'refusesWords'>(name: Name) {
  const asked = all(name) as () => ((...values: Parameters<Ask<Name>>) => ReturnType<Ask<Name>>)[];
  return async (...values: Parameters<Ask<Name>>): Promise<Awaited<ReturnType<Ask<Name>>> | undefined> => {
    for (const ask of asked()) {
      const found = await ask(...values);
      if (found !== undefined) return found;
    }
    return undefined;
  };
}

export const findAudienceOfCopy = firstOf('audienceOfCopy');
export const findAudienceOfComments = firstOf('audienceOfComments');
export const findRefusalOfWords = firstOf('refusesWords');

const readable = all('readableBy');
export const areReadableBy = (viewer: Viewer, table: string): Sql[] =>
  readable().flatMap((ask) => ask(viewer, table) ?? []);

const groupComments = all('hasGroupComments');
export const haveGroupComments = (viewer: Viewer, table: string): Sql[] =>
  groupComments().flatMap((ask) => ask(viewer, table) ?? []);

const findable = all('findableById');
export const orFindableById = (viewer: Viewer): Sql => orAny(findable().flatMap((ask) => ask(viewer) ?? []));

const audiences = all('audiencesOf');
export const audiencesOf = (viewer: Viewer): number[] => audiences().flatMap((ask) => ask(viewer));

/** Whether a feature has groups of people. */
export const hasGroups = (): boolean => audiences().length > 0;

const inAudience = all('isInAudience');
export const isInAudience = (contributor: Sql, audience: Sql): Sql =>
  sql`(1 = 0${orAny(inAudience().map((ask) => ask(contributor, audience)))})`;

const keeping = all('refusesKeeping');
export const findRefusalToKeep = (project: Pick<ProjectRow, 'kind'>): ApiText | undefined =>
  keeping()
    .map((ask) => ask(project))
    .find((refusal) => refusal !== undefined);

const changing = all('changesAsOwner');
export const changesAsOwner = (viewer: Viewer, project: Pick<ProjectRow, 'id'>): boolean =>
  changing().some((ask) => ask(viewer, project));

const partQueries = all('parts');
/** The entries of all features as one table. */
export const partsTable = once((): Sql => {
  const queries = partQueries();
  const none = sql`select id as whole, id as part, id as position from project where 1 = 0`;
  return sql`(${join(queries.length > 0 ? queries : [none], ' union all ')})`;
});

const firstParts = all('firstParts');
export async function loadFirstParts(
  ...of: Parameters<Ask<'firstParts'>>
): Promise<ReadonlyMap<number, readonly Project[]>> {
  const found = await Promise.all(firstParts().map((ask) => ask(...of)));
  return new Map(found.flatMap((byProject) => [...byProject]));
}

const outliving = all('outlivesContributor');
export const outlivesContributor = (project: ProjectRow): boolean => outliving().some((ask) => ask(project));

const related = all('storeRelated');
export const storeRelated = (...stored: Parameters<Ask<'storeRelated'>>) =>
  related().map((ask) => ask(...stored));

const rated = all('afterFirstRating');
export function afterFirstRating(write: Write, project: ProjectRow): void {
  for (const ask of rated()) ask(write, project);
}

const kept = all('keptVersions');
export async function findKeptVersions(
  ...project: Parameters<Ask<'keptVersions'>>
): Promise<ReadonlySet<number>> {
  const versions = await Promise.all(kept().map((ask) => ask(...project)));
  return new Set(versions.flatMap((sequences) => [...sequences]));
}

export const findKeptChanges = all('keptChanges');
