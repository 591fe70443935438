// Hand-ins of a class, by servers that are killed around the due time while everybody writes.

import { expect, test } from 'bun:test';
import { hashSecret } from '../../src/core/accounts/secret.ts';
import { parseInstant } from '../../src/core/instant.ts';
import { emptyDatabase, onBothDatabases } from '../support/databases.ts';
import { serve, vitrineWithInput } from '../support/server.ts';
import { contributor, dump, project } from '../support/site.ts';
import { randomPause, waitFor } from '../support/waiting.ts';

const pupils = Array.from({ length: 28 }, (_, index) => index + 1);
/** Each pupil has so many answers before the due time is set. */
const minWrites = 5;
const created = '2026-01-01T00:00:00.000000+00:00';
const keyOf = (id: number) => `vtr_key-of-pupil-${id}`;

const keyLine = (id: number) =>
  JSON.stringify({
    ...{ type: 'key', id, contributor: id, name: 'test', hash: hashSecret(keyOf(id)) },
    ...{ access: 'write', created, expires: null, used: null },
  });

/** A class of the moderator 100, with a work of each pupil. */
const gallery = dump(
  ...pupils.map((id) => contributor(id, `pupil-${id}`)),
  contributor(100, 'teacher'),
  ...pupils.map(
    (id) => `{"type":"account","contributor":${id},"role":"contributor","password":null,"disabled":null}`,
  ),
  '{"type":"account","contributor":100,"role":"moderator","password":null,"disabled":null}',
  ...[...pupils, 100].map(keyLine),
  ...pupils.map((id) => project(id, { contributor: id, title: 'Start', visibility: 'class' })),
  project(200, {
    contributor: 100,
    content_type: 'collection',
    kind: 'class',
    visibility: 'class',
    title: 'Class',
  }),
  ...pupils.map((id) =>
    JSON.stringify({
      ...{ type: 'collection_item', collection: 200, project: id, position: id, note: '' },
      ...{ state: 'included', added_by: id, added: created },
    }),
  ),
  ...pupils.map((id) => `{"type":"collection_person","collection":200,"contributor":${id},"role":"member"}`),
);

/** To the microsecond, as the server compares. */
const instantOf = (time: string) => parseInstant(time, 'UTC') ?? Number.NaN;

interface Write {
  readonly title: string;
  /** The time that the server gave it; undefined if it was killed before its answer. */
  readonly modified?: string;
}

onBothDatabases((kind) => {
  test('each line is the last acknowledged change before the due time', async () => {
    const options = ['--database', await emptyDatabase(kind), '--write-limit', 'off'];
    await vitrineWithInput(gallery, 'import', '-', ...options.slice(0, 2));
    let server = await serve(...options);
    const headersOf = (id: number) => ({
      Authorization: `Token ${keyOf(id)}`,
      'Content-Type': 'application/json',
    });
    const writes = new Map<number, Write[]>(pupils.map((id) => [id, []]));
    let answers = 0;
    let isOver = false;
    const writeUntilEnd = async (id: number) => {
      for (let number = 1; !isOver; number++) {
        const title = `Version ${number}`;
        const body = JSON.stringify({ title, text: `${title} of ${id}. `.repeat(20) });
        const options = { method: 'PATCH', headers: headersOf(id), body };
        const response = await fetch(`${server.address}/api/v1/projects/${id}/`, options).catch(
          () => undefined,
        );
        const record = response?.ok
          ? ((await response.json().catch(() => undefined)) as Write | undefined)
          : undefined;
        writes.get(id)?.push({ title, ...(record && { modified: record.modified }) });
        if (record) answers++;
        await randomPause(170);
      }
    };
    const killUntilEnd = async () => {
      while (!isOver) {
        // However slow the machine is, the pupils get on.
        const enough = answers + pupils.length;
        await waitFor(() => answers >= enough || isOver);
        await randomPause(600);
        await server.stop('SIGKILL');
        server = await serve(...options);
      }
    };
    let due = '';
    const setDue = async () => {
      due = new Date(Date.now() + 4000).toISOString();
      const body = JSON.stringify({ due });
      const request = { method: 'PATCH', headers: headersOf(100), body };
      const response = await fetch(`${server.address}/api/v1/projects/200/`, request).catch(() => undefined);
      // Known before it comes.
      return response?.status === 200 && Date.now() < Date.parse(due);
    };
    const endAfterDue = async () => {
      const countAnswers = (of: Write[]) => of.filter(({ modified }) => modified).length;
      await waitFor(() => [...writes.values()].every((own) => countAnswers(own) >= minWrites));
      await waitFor(setDue);
      const isLate = ({ modified }: Write) => modified !== undefined && instantOf(modified) > instantOf(due);
      await waitFor(() => [...writes.values()].every((own) => own.some(isLate)));
      isOver = true;
    };
    await Promise.all([killUntilEnd(), endAfterDue(), ...pupils.map(writeUntilEnd)]);

    const response = await fetch(`${server.address}/api/v1/projects/200/hand-ins/`, {
      headers: headersOf(100),
    });
    const handIns = (await response.json()) as {
      contributor: number;
      title: string;
      late: boolean;
      exact: boolean;
    }[];
    expect(handIns.map(({ late, exact }) => [late, exact])).toEqual(pupils.map(() => [false, true]));
    let acknowledged = 0;
    for (const { contributor, title } of handIns) {
      const own = writes.get(contributor) ?? [];
      const last = own.findLastIndex(
        ({ modified }) => modified !== undefined && instantOf(modified) <= instantOf(due),
      );
      acknowledged += last + 1;
      // A write without an answer may have reached the disk.
      const next = own.findIndex(({ modified }, index) => index > last && modified !== undefined);
      const possible = own.slice(Math.max(last, 0), next < 0 ? undefined : next).map((write) => write.title);
      expect([contributor, last < 0 ? ['Start', ...possible] : possible]).toEqual([
        contributor,
        expect.arrayContaining([title]),
      ]);
    }
    expect(acknowledged).toBeGreaterThanOrEqual(pupils.length * minWrites);
    await server.stop();
  });
});
