// The works that the members of a class have handed in, each as it was at the due time. Nothing is copied then: the times
// of the changes decide, so that a server that was down changes nothing.

import sql, { empty, join, type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import { all, type Database, first, integer, nullable, pick, type Reader, type RowOf, text } from '#sql';
import { changeTable } from '../../core/changes/tables.ts';
import { contributorColumns } from '../../core/contributors/contributor.ts';
import type { MediaType } from '../../core/files/stored-files.ts';
import { type Instant, now } from '../../core/instant.ts';
import { draft, hasPublicStatus, hasStatus } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { redactedRecord, type VersionContent } from '../../projects/history/history.ts';
import { isAvailable, loadMedia } from '../../projects/media/media-rows.ts';
import { type Project, shownColumns } from '../../projects/project.ts';
import { readableBy } from '../../projects/visibility/visible-to.ts';
import { isFromMakerSql } from '../classes/class-people.ts';
import type { Collection } from '../collections/items.ts';
import { collectionItemTable } from '../collections/tables.ts';
import { handedInVersion } from './due-times.ts';
import { collectionDueTable, handInFileTable } from './tables.ts';

/** The due times of a class that have come or are set, the newest first. */
export const listDueTimes = (reader: Reader, { id }: Pick<Collection, 'id'>) => all(
  reader,
  pick(collectionDueTable.columns, 'due', 'created'),
)`
  from collection_due where collection = ${id} order by due desc`;

const memberColumns = { ...contributorColumns };

const itemColumns = (database: Database, due: Instant, isReadable: Sql) => ({
  project: collectionItemTable.columns.project,
  is_readable: integer(sql`case when ${isReadable} then 1 else 0 end`),
  contributor: integer(sql`project.contributor`),
  uuid: text(sql`project.uuid`),
  slug: text(sql`project.slug`),
  added: integer(sql`item.added`),
  version: nullable(integer(handedInVersion(database, due))),
  /** Of the first version that is known, also if the class could not see it. */
  begun: nullable(
    integer(sql`(select min(at) from change
    where kind = 'project' and subject = item.project and record <> '')`),
  ),
});

const versionColumns = {
  ...pick(changeTable.columns, 'sequence', 'at', 'record'),
  /** The next change of the project, also if its version is gone or was private. */
  changed: nullable(
    integer(sql`(select min(later.at) from change as later where later.kind = 'project'
      and later.subject = change.subject and later.sequence > change.sequence and later.action = 'changed')`),
  ),
};

export interface HandIn {
  readonly person: RowOf<typeof memberColumns>;
  /** Undefined if the person has nothing in the class. */
  readonly work?: HandedInWork;
}

export interface HandedInWork {
  readonly project: number;
  /** Undefined while the class does not see the project: its address has the title of now. */
  readonly address: Pick<Project, 'uuid' | 'slug'> | undefined;
  readonly version: number;
  /** When it came into the class. */
  readonly added: Instant;
  readonly changed: Instant;
  readonly isLate: boolean;
  /** Whether it is known to be what it was at that time: false if versions or files of then are gone. */
  readonly isExact: boolean;
  /** Undefined if it was redacted. */
  readonly content: VersionContent | undefined;
}

/** Somebody who sees what the teachers of this class see, whoever looks: moderators alone see what is private or removed. */
const asTeacher = (viewer: Viewer, collection: number): Viewer => ({
  ...viewer,
  isModerator: false,
  memberships: [{ collection, role: 'teacher' }],
});

/**
 * Of each member of the class, or of one, the works that its teachers may find, in the order of the class. What was sent to be
 * published and came back stays handed in.
 */
export async function loadHandIns(
  database: Database,
  viewer: Viewer,
  { id }: Pick<Collection, 'id'>,
  due: Instant,
  member?: number,
): Promise<HandIn[]> {
  const time = await first(database, collectionDueTable.columns)`from collection_due
    where collection = ${id} and due = ${due}`;
  if (!time) throw new NotFound();
  const isWanted = member === undefined ? empty : sql` and contributor = ${member}`;
  const isMember = sql`select contributor from collection_person
    where collection = ${id} and role = 'member'${isWanted}`;
  const people = await all(database, memberColumns)`from contributor
    where id in (${isMember}) order by last_name_key, username`;
  const isReadable = readableBy(asTeacher(viewer, id));
  const items = await all(database, itemColumns(database, due, isReadable))`from collection_item as item
    join project on project.id = item.project
    where item.collection = ${id} and item.state = 'included' and project.contributor in (${isMember})
      and (${isReadable} or (${hasStatus([draft])} and project.visibility <> 'private' and ${isFromMakerSql('item', 'project')}))
    order by item.position, item.project`;
  const sequences = items.flatMap(({ version }) => version ?? []);
  const versions = sequences.length
    ? await all(database, versionColumns)`from change where sequence in (${join(sequences)})`
    : [];
  const bySequence = new Map(versions.map((version) => [version.sequence, version]));
  const works = items.flatMap(({ project, is_readable, contributor, uuid, slug, added, version, begun }) => {
    const row = version === null ? undefined : bySequence.get(version);
    if (!row) return [];
    const until = Math.max(due, added);
    const isRedacted = row.record === redactedRecord;
    const isKnown = row.at <= until && !isRedacted && !(row.changed !== null && row.changed <= until);
    // Files that changed before somebody set a time in the past were not noted.
    const wereFilesKept = time.created <= due || row.changed === null || row.changed > time.created;
    const content = isRedacted ? undefined : (JSON.parse(row.record) as VersionContent);
    const work = {
      project,
      address: is_readable === 1 ? { uuid, slug } : undefined,
      version: row.sequence,
      added,
      changed: row.at,
      isLate: added > due || (row.at > until && begun !== null && begun <= until),
      isExact: isKnown && wereFilesKept,
    };
    return [{ contributor, work: { ...work, content } }];
  });
  return people.flatMap((person): HandIn[] => {
    const own = works.filter(({ contributor }) => contributor === person.id);
    return own.length > 0 ? own.map(({ work }) => ({ person, work })) : [{ person }];
  });
}

/**
 * Of each member of the class, or of one, what came or was changed since the time before. Undefined if the class is not due any
 * more.
 */
export async function loadNextHandIns(
  database: Database,
  viewer: Viewer,
  collection: Pick<Collection, 'id'> & Pick<Project, 'due'>,
  member?: number,
): Promise<HandIn[] | undefined> {
  const { due } = collection;
  const times = await listDueTimes(database, collection);
  if (due === null || due <= now() || !times.some((time) => time.due === due)) return undefined;
  const before = times.find((time) => time.due < due)?.due ?? 0;
  const handIns = await loadHandIns(database, viewer, collection, due, member);
  return handIns.map(({ person, work }) =>
    work && Math.max(work.added, work.changed) > before ? { person, work } : { person },
  );
}

interface OwnHandIn {
  readonly collection: Project;
  readonly due: Instant;
  /** Undefined before the due time, or if the class saw no version. */
  readonly changed: Instant | undefined;
}

const maxShown = 3;

/** When the version was made that counts. */
const changedColumns = (database: Database, due: Instant) => ({
  changed: nullable(integer(sql`(select at from change where sequence = ${handedInVersion(database, due)})`)),
});

/** Of a work, in the classes that have it. */
export async function loadOwnHandIns(
  database: Database,
  viewer: Viewer,
  { id }: Pick<Project, 'id'>,
): Promise<OwnHandIn[]> {
  const hasIt = sql`id in (select collection from collection_item where project = ${id} and state = 'included')`;
  const classes = await all(database, shownColumns)`from project
    where ${hasIt} and due is not null and ${readableBy(viewer)} order by due desc limit ${maxShown}`;
  const found: OwnHandIn[] = [];
  for (const collection of classes) {
    const { due } = collection;
    if (due === null) continue;
    const isItem = sql`item.collection = ${collection.id} and item.project = ${id}`;
    const version =
      due > now()
        ? undefined
        : await first(database, changedColumns(database, due))`from collection_item as item where ${isItem}`;
    found.push({ collection, due, changed: version?.changed ?? undefined });
  }
  return found;
}

const fileColumns = {
  ...pick(handInFileTable.columns, 'project', 'number', 'name', 'alt', 'bytes'),
  type: handInFileTable.columns.media_type.narrow<MediaType>(),
  hash: nullable(text(sql`case when ${isAvailable('hand_in_file', 'hand_in_file')} then hash end`)),
};

export interface HandedInFile {
  readonly project: number;
  readonly number: number;
  readonly type: MediaType;
  readonly name: string;
  readonly alt: string;
  readonly hash: string;
  readonly bytes: number;
}

/**
 * The files of these projects as they were then: those that were noted, or else those of now, which are the same. Of work that the
 * class does not see now, only what was noted.
 */
export async function loadHandedInFiles(
  reader: Reader,
  { id }: Pick<Collection, 'id'>,
  due: Instant,
  projects: readonly number[],
): Promise<Map<number, HandedInFile[]>> {
  if (projects.length === 0) return new Map();
  const kept = await all(reader, fileColumns)`from hand_in_file
    where collection = ${id} and due = ${due} and project in (${join([...projects])}) order by project, number`;
  const noted = new Set(kept.map(({ project }) => project));
  const shown = await all(reader, { id: integer() })`from project
    where id in (${join([...projects])}) and visibility <> 'private' and ${hasPublicStatus}`;
  const media = await loadMedia(
    reader,
    shown.flatMap(({ id }) => (noted.has(id) ? [] : [id])),
  );
  const present: HandedInFile[] = [...media.values()]
    .flat()
    .flatMap(({ project, number, type, name, alt, sizes }) =>
      sizes.slice(-1).map(({ hash, bytes }) => ({ project, number, type, name, alt, hash, bytes })),
    );
  const files = [...kept, ...present].flatMap(({ hash, ...file }): HandedInFile[] =>
    hash === null ? [] : [{ ...file, hash }],
  );
  return Map.groupBy(files, ({ project }) => project);
}

/** The hand-ins of a class at one due time, for a ZIP. */
export interface HandInArchive {
  readonly viewer: Viewer;
  /** They have the language of the page. */
  readonly headers: Headers;
  readonly origin: string;
  readonly collection: Project;
  readonly due: Instant;
}
