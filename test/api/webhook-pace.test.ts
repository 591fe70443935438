// Receivers that take several events at a time.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';
import {
  createWebhook,
  allowReceivers as environment,
  webhooksPath as path,
  readWebhook,
  startReceiver,
} from '../support/webhook-receiver.ts';

const projects = [1, 2, 3, 4];
const gallery = dump(adasLine, ...projects.map((id) => project(id)));

interface Event {
  readonly id: string;
  readonly type: string;
  readonly data: { readonly sequence: number; readonly id: number };
}

/** By project, each number once. */
const orderOf = (events: readonly Event[]) =>
  [...Map.groupBy(events, ({ data }) => data.id)].map(([id, ofProject]) => [
    id,
    [...new Set(ofProject.map(({ data }) => data.sequence))],
  ]);

afterEach(() => void setSystemTime());

/** After a failure, the next attempt comes when something wakes the webhook once it is due. */
async function retryWith(change: () => Promise<Response>): Promise<void> {
  setSystemTime(Date.now() + 10_000);
  expect((await change()).status).toBe(200);
}

onBothDatabases((kind) => {
  test('events of different projects are under way together, those of a project one after another, also when some fail', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const ada = await person(site, 'ada');
    const receiver = startReceiver();
    const webhook = await createWebhook(ada, { url: receiver.url, concurrency: 8 });
    const underWay = new Set<number>();
    const together: number[] = [];
    const allAreUnderWay = Promise.withResolvers<void>();
    let failures = 0;
    const arrived: Event[] = [];
    receiver.answer = async () => {
      const event: Event = JSON.parse(receiver.received.at(-1)?.body ?? '');
      const { id } = event.data;
      if (underWay.has(id)) together.push(id);
      underWay.add(id);
      if (underWay.size === projects.length) allAreUnderWay.resolve();
      await allAreUnderWay.promise;
      underWay.delete(id);
      if (id === 2 && failures++ < 1) return new Response(null, { status: 503 });
      arrived.push(event);
      return new Response(null, { status: 204 });
    };
    for (let round = 0; round < 4; round++)
      for (const id of projects) await ada.patch(`/api/v1/projects/${id}/`, { title: `Round ${round}` });
    site.deliverWebhooks();
    await waitFor(async () => (await readWebhook(ada, webhook)).failures === 1);
    await retryWith(() => ada.patch('/api/v1/projects/1/', { title: 'The last' }));
    await waitFor(() => arrived.length >= 17);
    expect(together).toEqual([]);
    for (const [id, numbers] of orderOf(arrived))
      expect([id, numbers]).toEqual([id, (numbers as number[]).toSorted((one, other) => one - other)]);
    expect(new Set(arrived.map(({ data }) => data.sequence)).size).toBe(17);
    const last = Math.max(...arrived.map(({ data }) => data.sequence));
    await waitFor(async () => (await readWebhook(ada, webhook)).position >= last);
    expect(await readWebhook(ada, webhook)).toMatchObject({ failures: 0, concurrency: 8, batch_size: 1 });
  });

  test('a receiver that wants batches gets lists of events, in order, and after a failure the same again', async () => {
    const site = await siteOn(kind, { dump: gallery, environment });
    const ada = await person(site, 'ada');
    const receiver = startReceiver();
    const webhook = await createWebhook(ada, { url: receiver.url, batch_size: 10 });
    const { id } = webhook;
    for (let count = 0; count < 23; count++)
      await ada.patch(`/api/v1/projects/${projects[count % 4]}/`, { title: `Change ${count}` });
    receiver.answer = () => new Response(null, { status: receiver.received.length === 2 ? 500 : 204 });
    site.deliverWebhooks();
    await waitFor(async () => (await readWebhook(ada, webhook)).failures === 1);
    await retryWith(() => ada.patch('/api/v1/projects/1/', { title: 'The last' }));
    await waitFor(() => receiver.received.length === 4);
    const bodies = receiver.received.map(({ body }) => JSON.parse(body));
    const events: Event[][] = bodies.map(({ data }) => data.events);
    expect(bodies.map(({ type }) => type)).toEqual(['events', 'events', 'events', 'events']);
    expect(events.map((list) => list.length)).toEqual([10, 10, 10, 4]);
    expect(events[2]).toEqual(events[1] as Event[]);
    const numbers = [...(events[0] as Event[]), ...events.slice(2).flat()].map(({ data }) => data.sequence);
    expect(numbers).toEqual([...new Set(numbers)].sort((one, other) => one - other));
    const [first] = events[0] as Event[];
    expect(first).toMatchObject({ id: `${id}-${numbers[0]}`, type: 'project.changed' });
    const headers = receiver.received.map(({ headers }) => headers.get('webhook-id'));
    expect(headers[0]).toBe(`${id}-${numbers[0]}-${numbers[9]}`);
    expect(headers[2]).toBe(headers[1] as string);
  });
});

test('a webhook has at most 64 requests under way and 100 events in one, and by default one of each', async () => {
  const site = await siteOn('SQLite', { dump: gallery, environment });
  const ada = await person(site, 'ada');
  const { id } = await createWebhook(ada, { url: 'http://127.0.0.1:9/' });
  expect(await ada.json(`${path}${id}/`)).toMatchObject({ concurrency: 1, batch_size: 1 });
  expect((await ada.patch(`${path}${id}/`, { concurrency: 64, batch_size: 100 })).status).toBe(200);
  const refused = await ada.patch(`${path}${id}/`, { concurrency: 65, batch_size: 0 });
  expect([refused.status, await refused.json()]).toEqual([
    400,
    {
      concurrency: ['Ensure this value is less than or equal to 64.'],
      batch_size: ['Ensure this value is greater than or equal to 1.'],
    },
  ]);
  expect(await ada.json(`${path}${id}/`)).toMatchObject({ concurrency: 64, batch_size: 100 });
});
