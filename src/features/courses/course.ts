// The course of a learning platform, such as Moodle, that belongs to a class. Its teachers there are teachers of the class, and
// its pupils members; a pupil without an account here gets one that the class looks after.

import sql, { join } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import {
  all,
  count,
  type Database,
  exists,
  first,
  pick,
  type Reader,
  type RowOf,
  type Transaction,
} from '#sql';
import { insertAccount, insertContributor } from '../../core/accounts/change-account.ts';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import type { SignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { transact } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { recordDecision } from '../../core/decisions/decision.ts';
import { isNotInTrash } from '../../core/project-status.ts';
import { requireSignedIn, type Viewer } from '../../core/viewer/viewer.ts';
import { type Project, projectColumns, shownColumns } from '../../projects/project.ts';
import { createProject } from '../../projects/writing/create.ts';
import { taughtClasses } from '../classes/class-people.ts';
import { lockClass, maxClassAccounts } from '../classes/pupils.ts';
import { collectionPersonTable } from '../collections/tables.ts';
import {
  findLinkedAccount,
  insertLinkedAccount,
  type ProvenPerson,
} from '../linked-accounts/linked-account.ts';
import { findUsernameProblem, nameFields, readSuggestion, suggestUsername } from '../sign-in/sign-up.ts';
import { courseTable } from './tables.ts';

export type CourseRole = 'teacher' | 'member';

/** A course of a platform, and the role of somebody in it. */
export interface CourseThere {
  /** A JSON list of the platform, its installation of this site and its id of the course. */
  readonly name: string;
  readonly title: string;
  readonly role: CourseRole;
}

/** Somebody who has come from the platform, and has proved who they are there. */
export interface LaunchingPerson extends ProvenPerson {
  readonly course?: CourseThere;
}

export const maxCourseName = 1000;

const courseColumns = {
  ...pick(projectColumns, 'id', 'uuid', 'slug', 'contributor'),
  consent: courseTable.columns.consent,
};
/** The class of a course, and the hash of the wording with which a teacher has confirmed the consent for its pupils. */
export type Course = RowOf<typeof courseColumns>;

export const findCourse = (reader: Reader, name: string): Promise<Course | undefined> =>
  first(reader, courseColumns)`from project join course on course.collection = project.id
    where course.name = ${name} and ${isNotInTrash}`;

/** The classes that the viewer looks after, the newest first. */
export async function listOwnClasses(reader: Reader, viewer: Viewer): Promise<Project[]> {
  const classes = taughtClasses(viewer);
  if (classes.length === 0) return [];
  return all(reader, shownColumns)`from project where id in (${join(classes)}) and ${isNotInTrash}
    order by created desc, id desc limit 200`;
}

/** `uuid` is that of a class of the teacher; undefined for a new one. A course that has a class meanwhile keeps it. */
export async function openCourse(
  write: WriteContext,
  { name, title }: Pick<CourseThere, 'name' | 'title'>,
  uuid: string | undefined,
  consent: string,
): Promise<Pick<Project, 'uuid' | 'slug'>> {
  const { transaction, viewer } = write;
  await transaction.lockChangeLog();
  const course = await findCourse(transaction, name);
  if (course) return course;
  const address = uuid === undefined ? await makeClass(write, title) : { uuid };
  const collection = await lockClass(write, address);
  const { id, contributor } = collection;
  await transaction.upsert(courseTable, [{ name, collection: id, consent }]);
  await recordDecision(write, {
    moderator: requireSignedIn(viewer),
    contributor,
    project: id,
    action: 'consented',
    reason: consent,
  });
  return collection;
}

/** Elsewhere, moderators make classes. Here the operator trusts the platform to say who teaches. */
const makeClass = (write: WriteContext, title: string) =>
  createProject(
    { ...write, viewer: { ...write.viewer, grants: ['makeClass'] } },
    { title, content_type: 'collection', kind: 'class', visibility: 'class' },
  );

/** A teacher stays one, and a child never becomes one. */
export function enterCourse(
  database: Database,
  { id, contributor: owner }: Course,
  contributor: number,
  role: CourseRole,
): Promise<void> {
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    if (contributor === owner) return;
    const isChild = await isLookedAfter(transaction, contributor);
    const row = { collection: id, contributor, role: isChild ? 'member' : role };
    const isThere = sql`from collection_person where collection = ${id} and contributor = ${contributor}
      and role in ('teacher', ${row.role})`;
    if (await exists(transaction, isThere)) return;
    await transaction.upsert(collectionPersonTable, [row]);
    changeSet.add({ kind: 'collection_person', action: 'set', subject: id, owner: contributor });
  });
}

/** The account of a pupil who comes for the first time. Names are kept only where the site shows full names. */
export async function addPupil(
  database: Database,
  course: Course,
  { subject, loadNames }: ProvenPerson,
  { shownName }: SignUpRules,
): Promise<void> {
  const names = shownName === 'full' ? await loadNames() : undefined;
  await transact(database, null, async (write) => {
    const { transaction } = write;
    // Two pupils who come at once get no names that look alike, and one who comes twice gets one account.
    await transaction.lockChangeLog();
    if (await findLinkedAccount(transaction, subject)) return;
    const lookedAfter = sql`from account where looked_after_by = ${course.id}`;
    if ((await count(transaction, lookedAfter)) >= maxClassAccounts)
      throw new Invalid({ non_field_errors: [apiText('maxPupils', { max: maxClassAccounts })] });
    const contributor = await insertContributor(
      write,
      {
        username: await chooseUsername(transaction, course, names?.username),
        first_name: readSuggestion(nameFields.first_name, names?.first_name ?? ''),
        last_name: readSuggestion(nameFields.last_name, names?.last_name ?? ''),
      },
      shownName,
    );
    await insertAccount(write, contributor, 'contributor', null, course.id);
    await insertLinkedAccount(write, contributor, subject);
    await recordDecision(write, {
      moderator: null,
      contributor,
      project: course.id,
      action: 'consented',
      reason: course.consent,
    });
  });
}

/** A name from the platform if it is free, or else one that says nothing but the class, which teachers can change. */
async function chooseUsername(reader: Transaction, { slug }: Course, name = ''): Promise<string> {
  const suggested = suggestUsername(name);
  if (suggested && !(await findUsernameProblem(reader, suggested))) return suggested;
  const start = suggestUsername(slug.slice(0, 20)) || 'pupil';
  for (;;) {
    const username = `${start}-${crypto.randomUUID().slice(0, 6)}`;
    if (!(await findUsernameProblem(reader, username))) return username;
  }
}
