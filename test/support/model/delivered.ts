// Everything that leaves the gallery: streams, webhooks, mails, the ZIPs that people take along, and the copy for visitors.

import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { queueNotificationMails } from '../../../src/features/notifications/mails.ts';
import { makeStaticSite } from '../../../src/features/static-site/static-site.ts';
import { openOwnApp } from '../../../src/server/own-app.ts';
import { temporaryPath } from '../databases.ts';
import { EventReader } from '../event-reader.ts';
import type { Person } from '../person.ts';
import { at, firstClass, idOf, type Name, type School, secondClass } from '../school.ts';
import type { MailSite } from '../smtp.ts';
import { waitFor } from '../waiting.ts';
import { createWebhook, type Receiver, startReceiver, type Webhook } from '../webhook-receiver.ts';
import { type Deliveries, type Model, type Reader, readers, requireOwnWords, send } from './model.ts';

const adults: readonly Name[] = ['mo', 'olga', 'tess', 'tom', 'bob', 'ann'];

/** Where the gallery writes to people who are not children. */
export const emails = adults
  .map((name) => {
    const address = `${name}@school.example`;
    return `${JSON.stringify({ type: 'email', contributor: idOf(name), address, pending: null, language: 'en' })}\n`;
  })
  .join('');

/** What people ask for when the run begins. */
export async function orderDeliveries(mails: MailSite, school: School): Promise<Deliveries> {
  const receiver = startReceiver();
  const webhooks = new Map<Name, Webhook>();
  for (const name of adults) webhooks.set(name, await createWebhook(school[name], { url: receiver.url }));
  // Their owners are told of webhooks.
  await mails.sendDue();
  return { mails, receiver, webhooks };
}

/** Throws if something was sent that has words for others. */
export async function readDeliveries(model: Model, school: School): Promise<void> {
  const present = readers.filter((reader) => reader === 'visitor' || !model.gone.has(reader));
  for (const reader of present) await readStream(model, reader, school[reader]);
  await readWebhooks(model, school);
  await readMails(model);
  for (const reader of present) if (reader !== 'visitor') await readArchives(model, reader, school[reader]);
  await readStaticCopy(model, school);
}

/** It has the same changes as the list. */
async function readStream(model: Model, reader: Reader, person: Person): Promise<void> {
  const { results: listed } = await person.json<{ results: object[] }>('/api/v1/changes/?page_size=100');
  const response = await person.get('/api/v1/changes/stream/?since=0', { Accept: 'text/event-stream' });
  const events = new EventReader(response);
  const sent = (await events.take(listed.length)).map(({ data }) => data);
  await events.close();
  if (!Bun.deepEquals(sent, listed))
    throw new Error(`the stream of ${reader} has other changes than the list`);
  requireOwnWords(model, reader, 'the stream', JSON.stringify(sent));
}

const webhookOf = ({ headers }: Receiver['received'][number]) =>
  Number(headers.get('webhook-id')?.split('-')[0]);

/** The ids of projects. */
const sentTo = ({ received }: Receiver, { id }: Webhook): unknown[] =>
  received.filter((one) => webhookOf(one) === id).map(({ body }) => JSON.parse(body).data.id);

async function readWebhooks(model: Model, school: School): Promise<void> {
  const { receiver, webhooks } = model.deliveries;
  const owners = [...webhooks].filter(([name]) => !model.gone.has(name));
  const stop = school.site.deliverWebhooks();
  for (const [name, webhook] of owners) {
    const last = await send(school[name], 'POST', at, { title: 'The last', visibility: 'private' });
    await waitFor(() => sentTo(receiver, webhook).includes(last?.id));
  }
  await stop();
  for (const one of receiver.received) {
    const id = webhookOf(one);
    const [owner] = owners.find(([, webhook]) => webhook.id === id) ?? [];
    if (!owner) throw new Error(`something was sent to webhook ${id}, whose owner is gone`);
    requireOwnWords(model, owner, 'a webhook', one.body);
  }
}

/** What was not sent after three days is dropped. */
export async function readMails(model: Model): Promise<void> {
  const { site, sendDue, smtp } = model.deliveries.mails;
  await queueNotificationMails(site.database);
  await sendDue();
  for (const { to, text, html } of smtp.mails.splice(0))
    requireOwnWords(model, to.split('@')[0] as Name, 'a mail', text + html);
}

/** ZIPs, which are not compressed: of the hand-ins of a class, and of what is one's own. */
async function readArchives(model: Model, reader: Reader, person: Person): Promise<void> {
  const handIns = [firstClass, secondClass].map((id) => `${at}${id}/hand-ins/archive/`);
  for (const path of [...handIns, '/api/v1/me/dump/?format=zip']) {
    const response = await person.get(path);
    if (response.status === 200)
      requireOwnWords(model, reader, path, Buffer.from(await response.bytes()).toString('latin1'));
  }
}

/** With what children have made, which is left out otherwise. No page of it is missing. */
async function readStaticCopy(model: Model, { site }: School): Promise<void> {
  const folder = temporaryPath('static');
  const { missing } = await makeStaticSite({
    folder,
    origin: 'https://gallery.example',
    withLookedAfter: true,
    warc: '',
    environment: {},
    openApp: openOwnApp,
    progress: () => {},
    openSource: async () => ({ database: site.database, async [Symbol.asyncDispose]() {} }),
    files: site.files,
  });
  for (const { url, problem } of missing) throw new Error(`the copy lacks ${url}: ${problem}`);
  for (const file of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (!file.isFile()) continue;
    const path = join(file.parentPath, file.name);
    requireOwnWords(model, 'visitor', path, readFileSync(path, 'latin1'));
  }
  rmSync(folder, { recursive: true });
}
