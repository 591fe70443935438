// A gallery whose log has many changes of long ago, as a dump.

import { parseInstant } from '../../src/core/instant.ts';
import { formatChangeLine } from '../../src/projects/dump/change-line.ts';
import { ada, contributor, dump, project } from './site.ts';

const begin = parseInstant('2020-01-01T00:00:00.000000+00:00', 'UTC') ?? 0;

const change = (sequence: number, members: Partial<Parameters<typeof formatChangeLine>[0]>) =>
  formatChangeLine({
    ...{ sequence, at: begin + sequence * 1_000_000, actor: 1, action: 'changed', kind: 'project' },
    ...{ subject: 1, owner: 1, listed: 1, record: '' },
    ...members,
  });

/** What happens again and again: visitors see the first three. */
const eventOf = (number: number) =>
  [
    { kind: 'rating', action: 'rated', actor: 2 },
    {},
    { kind: 'contributor', subject: 2, actor: 2, owner: 2, listed: 0 },
    { subject: 2, listed: 0 },
    { kind: 'account', action: 'password', listed: 0 },
    { kind: 'report', action: 'created', subject: number, actor: 2, owner: null, listed: 0 },
  ][number % 6] ?? {};

/** Ada's project 1 is public and has versions, 2 is private; Bob's 3 is in no change. */
export const galleryWithOldChanges = (count: number): string =>
  dump(
    change(1, { kind: 'contributor', action: 'created' }),
    change(2, { action: 'created', record: project(1, { title: 'First' }) }),
    change(3, { action: 'created', subject: 2, listed: 0, record: project(2, { visibility: 'private' }) }),
    change(4, { record: project(1, { title: 'Second', text: 'Call me: 5550123.' }) }),
    change(5, { kind: 'key', action: 'created', subject: 41, listed: 0 }),
    ...Array.from({ length: count - 6 }, (_, index) => change(6 + index, eventOf(6 + index))),
    change(count, { record: project(1, { title: 'Third' }) }),
    ada,
    contributor(2, 'bob'),
    contributor(3, 'mo'),
    project(1, { title: 'Third', history: 'public' }),
    project(2, { visibility: 'private' }),
    project(3, { contributor: 2 }),
  );
