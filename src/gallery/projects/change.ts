// What people do to projects. Each act is one transaction; it starts from what the reader may see, and asks the
// table of permissions.

import sql from 'sql-template-tag';
import type { Transaction } from '../../database/open.ts';
import { projectTable } from '../../database/schema.ts';
import { Forbidden, Invalid, NotFound, Outdated } from '../../errors.ts';
import { absent, type Values } from '../../fields.ts';
import type { ChangeSet } from '../changes/transact.ts';
import { copyMedia } from '../media/rows.ts';
import { decided } from '../moderation/decided.ts';
import { authorize, authorizeAny } from '../permissions.ts';
import type { Viewer } from '../viewer.ts';
import { sortKey } from '../words.ts';
import type { projectFields } from './fields.ts';
import { headingOf } from './heading.ts';
import type { Project } from './project.ts';
import { slugOf } from './slug.ts';
import { locked, personOf, store } from './store.ts';
import type { Person, Stored } from './stored.ts';
import { veilOf } from './threads.ts';
import { newUuid } from './uuid.ts';
import { inTrash, readableBy, trashedFor } from './visible.ts';

type ProjectValues = Values<typeof projectFields>;

/** A transaction, whose it is, and what it has to tell. */
export interface WriteContext {
  readonly transaction: Transaction;
  readonly changeSet: ChangeSet;
  readonly viewer: Viewer;
  /** Why a moderator does it. */
  readonly reason?: string;
}

export const signedIn = ({ contributor }: Viewer): number => {
  if (contributor === null) throw new Error('a visitor has come too far');
  return contributor;
};

export const shown = (stored: Stored, person: Person): Project => ({
  ...stored,
  ...person,
  status: stored.status as Project['status'],
});

/** What the reader sees under an id, for nobody else to change meanwhile. */
export async function seen({ transaction, viewer }: WriteContext, id: number): Promise<Stored> {
  const [found] = await locked(transaction, sql`id = ${id} and ${readableBy(viewer)}`);
  if (!found) throw new NotFound();
  return found;
}

/** `fits` is told the version that is about to be changed. */
export type Fits = (version: number) => boolean;
export const anyVersion: Fits = () => true;

export async function make(write: WriteContext, values: ProjectValues): Promise<Project> {
  const { changeSet, viewer } = write;
  authorizeAny(viewer, 'makeProject');
  const { content_type = 'text', parent = null } = values;
  refuseRemoved(viewer, values);
  if (content_type === 'comment' && parent === null) throw new Invalid({ parent: [absent] });
  if (content_type !== 'comment' && parent !== null)
    throw new Invalid({ parent: ['Only a comment has a parent.'] });
  const spoken = parent === null ? undefined : await spokenOf(write, parent);
  return added(write, 'created', {
    ...{ title: values.title ?? '', text: values.text ?? '', tags: (values.tags ?? []).join(', ') },
    ...{ visibility: values.visibility ?? 'public', status: values.status ?? 1, content_type },
    ...{ link: values.link ?? null, copied_from: null, parent, ...spoken, created: changeSet.at },
  });
}

/** A comment on a project, or an answer to one of its comments; its title may be left to its text. */
export async function commentOn(
  write: WriteContext,
  id: number,
  read: () => ProjectValues,
): Promise<Project> {
  const about = await seen(write, id);
  authorize(write.viewer, 'comment', about.contributor);
  const { content_type = 'comment', ...values } = read();
  if (content_type !== 'comment') throw new Invalid({ content_type: ['This is the place for comments.'] });
  const parent = values.parent ?? id;
  if (parent !== id && !(await belongs(write, parent, about)))
    throw new Invalid({ parent: ['This comment belongs to another thread.'] });
  return make(write, {
    ...values,
    content_type,
    parent,
    title: values.title ?? headingOf(values.text ?? ''),
  });
}

/** Whether a comment stands in the thread of a project, or beside a comment. */
async function belongs({ transaction }: WriteContext, comment: number, about: Stored): Promise<boolean> {
  const thread = about.content_type === 'comment' ? about.root : about.id;
  const found = await transaction.first(
    sql`select id from project where id = ${comment} and root = ${thread}`,
  );
  return found !== undefined;
}

/** What a comment speaks of, and what its thread is about in the end. */
async function spokenOf(write: WriteContext, parent: number): Promise<Pick<Stored, 'root' | 'veil'>> {
  const { transaction, viewer } = write;
  const [found] = await locked(transaction, sql`id = ${parent} and ${readableBy(viewer)}`);
  if (!found) throw new Invalid({ parent: [`Invalid pk "${parent}" - object does not exist.`] });
  authorize(viewer, 'comment', found.contributor);
  if (found.content_type !== 'comment') return { root: found.id, veil: veilOf(found) };
  return { root: found.root, veil: found.veil };
}

type New = Pick<Stored, 'title' | 'text' | 'tags' | 'visibility' | 'status' | 'content_type' | 'link'> &
  Pick<Stored, 'copied_from' | 'parent' | 'created'> &
  Partial<Pick<Stored, 'root' | 'veil'>>;

async function added(
  { transaction, changeSet, viewer }: WriteContext,
  action: string,
  made: New,
): Promise<Project> {
  const contributor = signedIn(viewer);
  const [person, id] = await Promise.all([
    personOf(transaction, contributor),
    transaction.nextId(projectTable),
  ]);
  const nothing = { rating_count: 0, rating_sum: 0, karma: 0, earned: 0 };
  const opening = { opening_rating_count: 0, opening_rating_sum: 0, opening_karma: 0 };
  const stored: Stored = {
    ...{ root: null, veil: 0, trashed: null, trashed_by: null, trashed_status: null, ...nothing, ...opening },
    ...{ ...made, contributor, last_name_key: person.last_name_key, id, uuid: newUuid() },
    ...{
      slug: slugOf(made.title),
      title_key: sortKey(made.title),
      modified: changeSet.at,
      touched: changeSet.at,
    },
  };
  await store(transaction, changeSet, action, undefined, stored, person);
  return shown(stored, person);
}

/** What the reader may change under an id, for nobody else to change meanwhile. */
export async function changing(write: WriteContext, id: number, fits: Fits): Promise<Stored> {
  const before = await seen(write, id);
  authorize(write.viewer, 'changeProject', before.contributor);
  if (before.status === 3) authorize(write.viewer, 'removeProject', before.contributor);
  if (!fits(before.touched)) throw new Outdated();
  return before;
}

/** Only what is given changes. `read` gives it once it is known that the reader may change this. */
export async function change(
  write: WriteContext,
  id: number,
  fits: Fits,
  read: (before: Stored) => ProjectValues,
): Promise<Project> {
  const { viewer } = write;
  const before = await changing(write, id, fits);
  const { parent: _, ...values } = read(before);
  refuseRemoved(viewer, values);
  if (values.status === 3) authorize(viewer, 'removeProject', before.contributor);
  if (
    values.content_type !== undefined &&
    (values.content_type === 'comment') !== (before.content_type === 'comment')
  )
    throw new Invalid({ content_type: ['A comment stays a comment, and nothing else becomes one.'] });
  const after: Stored = { ...before, ...values, tags: values.tags?.join(', ') ?? before.tags };
  return changed(write, before, after);
}

function refuseRemoved({ moderates }: Viewer, { status }: ProjectValues): void {
  if (status === 3 && !moderates) throw new Invalid({ status: ['"3" is not a valid choice.'] });
}

const written = ['title', 'text', 'tags', 'visibility', 'status', 'content_type', 'link'] as const;

async function changed(write: WriteContext, before: Stored, after: Stored): Promise<Project> {
  // What is sent back as it was read changes nothing, not even when it was changed.
  if (written.every((name) => before[name] === after[name])) return untouched(write, before);
  return rewritten(write, before, after);
}

export async function untouched({ transaction }: WriteContext, before: Stored): Promise<Project> {
  return shown(before, await personOf(transaction, before.contributor));
}

/** Something that belongs to a project has changed, and so has the project. */
export function touched(write: WriteContext, before: Stored): Promise<Project> {
  return rewritten(write, before, before);
}

async function rewritten(write: WriteContext, before: Stored, after: Stored): Promise<Project> {
  const { transaction, changeSet } = write;
  const person = await personOf(transaction, before.contributor);
  const retitled = before.title !== after.title;
  const stored: Stored = {
    ...after,
    ...(retitled && { slug: slugOf(after.title), title_key: sortKey(after.title) }),
    modified: Math.max(changeSet.at, before.modified + 1),
    touched: next(before, changeSet),
  };
  const action = actionOf(before, after);
  await store(transaction, changeSet, action, before, stored, person);
  if (action !== 'changed') await decided(write, action, before);
  return shown(stored, person);
}

const actionOf = (before: Stored, after: Stored): 'changed' | 'removed' | 'restored' => {
  if (before.status === after.status) return 'changed';
  if (after.status === 3) return 'removed';
  return before.status === 3 ? 'restored' : 'changed';
};

/** Every state of a project has a version of its own, also when the clock stands still. */
export const next = ({ touched }: Stored, { at }: ChangeSet) => Math.max(at, touched + 1);

export async function trash(write: WriteContext, id: number, fits: Fits): Promise<void> {
  const { transaction, changeSet, viewer } = write;
  const before = await seen(write, id);
  authorize(viewer, 'trashProject', before.contributor);
  if (before.status === 3) authorize(viewer, 'removeProject', before.contributor);
  if (!fits(before.touched)) throw new Outdated();
  const after: Stored = {
    ...before,
    ...{
      status: inTrash,
      trashed: changeSet.at,
      trashed_by: signedIn(viewer),
      trashed_status: before.status,
    },
    touched: next(before, changeSet),
  };
  const person = await personOf(transaction, before.contributor);
  await store(transaction, changeSet, 'trashed', before, after, person);
  if (before.contributor !== viewer.contributor) await decided(write, 'trashed', before);
}

/** What somebody else threw away, only moderators bring back. */
export async function restore(write: WriteContext, id: number): Promise<Project> {
  const { transaction, changeSet, viewer } = write;
  authorizeAny(viewer, 'restoreProject');
  const contributor = signedIn(viewer);
  const [before] = await locked(transaction, sql`id = ${id} and ${trashedFor(viewer)}`);
  if (!before) throw new NotFound();
  authorize(viewer, 'restoreProject', before.contributor);
  if (before.trashed_by !== contributor && !viewer.moderates) throw new Forbidden();
  const after: Stored = {
    ...before,
    ...{ status: before.trashed_status ?? 0, trashed: null, trashed_by: null, trashed_status: null },
    touched: next(before, changeSet),
  };
  const person = await personOf(transaction, before.contributor);
  await store(transaction, changeSet, 'restored', before, after, person);
  if (before.contributor !== contributor) await decided(write, 'returned', before);
  return shown(after, person);
}

/** A copy is its maker's own and private, until they say otherwise; its source is what was copied, for ever. */
export async function copy(write: WriteContext, id: number): Promise<Project> {
  const { changeSet, viewer } = write;
  const source = await seen(write, id);
  authorize(viewer, 'copyProject', source.contributor);
  if (source.content_type === 'comment')
    throw new Invalid({ non_field_errors: ['A comment cannot be copied.'] });
  const { title, text, tags, content_type, link } = source;
  const state = { visibility: 'private', status: 1, parent: null } as const;
  const made = await added(write, 'copied', {
    ...{ title, text, tags, content_type, link },
    ...{ ...state, copied_from: source.id, created: changeSet.at },
  });
  await copyMedia(write.transaction, source.id, made.id);
  return made;
}
