// The status of a project: its numbers are part of the API, of dumps and of the database. The SQL conditions hold the
// numbers as literal text, because planners match a partial index only by its text.

import { raw, type Sql } from 'sql-template-tag';

export const draft = 0;
export const published = 1;
export const archived = 2;
export const removed = 3;

/** Stored only: the API and dumps show the status from before, which is in `trashed_status`. */
export const inTrash = 4;

/** Until somebody has reviewed it: only its contributor and those who review it see it. */
export const waiting = 5;

export const statusNames = {
  [draft]: 'draft',
  [published]: 'published',
  [archived]: 'archived',
  [removed]: 'removed',
  [waiting]: 'waiting',
} as const;
export type Status = keyof typeof statusNames;
/** A status as the table `project` stores it. */
export type StoredStatus = Status | typeof inTrash;
export const statuses: readonly Status[] = [draft, published, archived, removed, waiting];

/** The status that the API and dumps show: for a project in the trash, the one from before. */
export function toStatus(row: { status: StoredStatus; trashed_status: StoredStatus | null }): Status {
  const status = row.trashed_status ?? row.status;
  if (status === inTrash) throw new Error('an erased project has no status to show');
  return status;
}

/** The status that an approval gives: that for which the maker has asked. */
export const statusOnceApproved = (row: {
  asked_status: typeof archived | null;
}): typeof published | typeof archived => row.asked_status ?? published;

/** The statuses that a body may have: the gallery itself lets a project wait. */
export const writtenStatusNames = omitWaiting(statusNames);
export type WrittenStatus = keyof typeof writtenStatusNames;

function omitWaiting({ [waiting]: _, ...names }: typeof statusNames) {
  return names;
}

/** The statuses that the owner may choose next. Only moderators remove a project and restore it. */
export const nextStatuses: Readonly<Record<Status, readonly Exclude<WrittenStatus, typeof removed>[]>> = {
  [draft]: [published],
  [published]: [archived, draft],
  [archived]: [published],
  [removed]: [],
  [waiting]: [draft],
};

/** Whether a project with this status is open to visitors, if its visibility allows it. */
export const isPubliclyReadable = (status: number): boolean => status === published || status === archived;

/** The condition that the row has one of the statuses. */
export const hasStatus = (statuses: readonly number[], column = 'status'): Sql =>
  raw(statuses.length === 1 ? `${column} = ${statuses[0]}` : `${column} in (${statuses.join(', ')})`);

export const publiclyReadableStatuses = [published, archived] as const;
export const isPublished = hasStatus([published]);
export const hasPublicStatus = hasStatus(publiclyReadableStatuses);
export const isWaiting = hasStatus([waiting]);
export const isNotInTrash = raw(`status <> ${inTrash}`);
