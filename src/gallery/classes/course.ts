// The course of a learning platform, such as Moodle, that belongs to a class. Who teaches it there is a teacher of the class,
// and who learns there is a member; a pupil without an account here gets one that the class looks after.

import sql from 'sql-template-tag';
import { apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { pick, type RowOf } from '../../database/columns.ts';
import type { Database, Reader, Transaction } from '../../database/database.ts';
import { all, count, exists, first } from '../../database/query.ts';
import { collectionPersonTable, courseTable } from '../../database/schema.ts';
import { insertAccount, insertContributor } from '../accounts/change.ts';
import { transact } from '../changes/transact.ts';
import type { WriteContext } from '../changes/write.ts';
import { recordDecision } from '../decisions/decision.ts';
import { isLookedAfter } from '../looked-after.ts';
import { isNotInTrash } from '../project-status.ts';
import { type ProjectRow, projectColumns, shownColumns } from '../projects/project.ts';
import type { ProjectAddress } from '../projects/visibility.ts';
import { createProject } from '../projects/writing/create.ts';
import {
  type CourseRole,
  type CourseThere,
  insertIdentity,
  type ProvenIdentity,
} from '../sign-in/identity.ts';
import { findUsernameProblem, suggestUsername } from '../sign-in/sign-up.ts';
import type { SignUpRules } from '../sign-in/sign-up-rules.ts';
import { requireSignedIn, type Viewer } from '../viewer.ts';
import { lockClass, maxClassAccounts } from './accounts.ts';

/** Somebody who has come from the platform, and has proved who they are there. */
export interface Launch extends ProvenIdentity {
  readonly course?: CourseThere;
}

/** A learning platform that speaks LTI 1.3. */
export interface LearningPlatform {
  /** Its name for people. */
  readonly label: string;
  /** Whose pages may show the page that opens a new window. */
  readonly origin: string;
  /** Where to send the browser. `hints` are what the platform has sent with it. Throws Invalid for another platform. */
  buildStart(callback: string, challenge: string, hints: Readonly<Record<string, string>>): string;
  /** Checks the form with which the browser came back. Throws Invalid, or SignInServiceDown. */
  finish(callback: string, form: Readonly<Record<string, string>>, challenge: string): Promise<Launch>;
}

export const courseLimits = { name: 1000, title: 100 } as const;

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
export const listOwnClasses = (reader: Reader, { contributor }: Viewer) =>
  all(reader, shownColumns)`from project
    where content_type = 'collection' and kind = 'class' and ${isNotInTrash} and (contributor = ${contributor}
      or id in (select collection from collection_person where contributor = ${contributor} and role = 'teacher'))
    order by created desc, id desc limit 200`;

/** A class of its own for the course: the operator trusts the platform to say who teaches. */
export const makeClass = ({ viewer, ...write }: WriteContext, title: string) =>
  createProject(
    { ...write, viewer: { ...viewer, role: 'moderator', isModerator: true } },
    { title, content_type: 'collection', kind: 'class', visibility: 'class' },
  );

/** By a teacher of the class. A course that had another class has this one from now on. */
export async function linkCourse(
  write: WriteContext,
  name: string,
  address: ProjectAddress,
  consent: string,
): Promise<ProjectRow> {
  const collection = await lockClass(write, address);
  const { id, contributor } = collection;
  const moderator = requireSignedIn(write.viewer);
  await write.transaction.upsert(courseTable, [{ name, collection: id, consent }]);
  await recordDecision(write, { moderator, contributor, project: id, action: 'consented', reason: consent });
  return collection;
}

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
    if (await hasRole(transaction, row)) return;
    await transaction.upsert(collectionPersonTable, [row]);
    changeSet.add({ kind: 'collection_person', action: 'set', subject: id, owner: contributor });
  });
}

const hasRole = (
  reader: Reader,
  { collection, contributor, role }: { collection: number; contributor: number; role: string },
) =>
  exists(
    reader,
    sql`from collection_person where collection = ${collection} and contributor = ${contributor}
      and role in ('teacher', ${role})`,
  );

/** The account of a pupil who comes for the first time. Names are kept only where the site shows full names. */
export function addPupil(
  database: Database,
  course: Course,
  { subject, loadNames }: ProvenIdentity,
  { shownName }: SignUpRules,
): Promise<number> {
  return transact(database, null, async (write) => {
    const { transaction, changeSet } = write;
    const names = shownName === 'full' ? await loadNames() : undefined;
    // Two pupils who come at once get no names that look alike.
    await transaction.lockChangeLog();
    const lookedAfter = sql`from account where looked_after_by = ${course.id}`;
    if ((await count(transaction, lookedAfter)) >= maxClassAccounts)
      throw new Invalid({ non_field_errors: [apiText('maxPupils', { max: maxClassAccounts })] });
    const username = await chooseUsername(transaction, course, names?.username);
    const { first_name = '', last_name = '' } = names ?? {};
    const contributor = await insertContributor(write, { username, first_name, last_name }, shownName);
    await insertAccount(write, contributor, 'contributor', null, course.id);
    await insertIdentity(write, contributor, subject);
    await transaction.insert(collectionPersonTable, [{ collection: course.id, contributor, role: 'member' }]);
    await recordDecision(write, {
      moderator: null,
      contributor,
      project: course.id,
      action: 'consented',
      reason: course.consent,
    });
    changeSet.add({ kind: 'collection_person', action: 'set', subject: course.id, owner: contributor });
    return contributor;
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
