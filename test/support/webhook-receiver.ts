// A server that receives webhooks.

import { raw } from 'sql-template-tag';
import { webhookAttemptTable, webhookDeadLetterTable } from '../../src/features/webhooks/tables.ts';
import { certificates } from './certificates.ts';
import { closeLater } from './closing.ts';
import type { Person } from './person.ts';
import type { Site } from './site.ts';

interface Received {
  readonly headers: Headers;
  readonly body: string;
}

export interface Receiver {
  readonly url: string;
  readonly received: Received[];
  /** Of the events so far. */
  readonly types: string[];
  /** The numbers of the changes so far. */
  readonly numbers: number[];
  /** Instead of 204. */
  answer: (() => Response | Promise<Response>) | undefined;
}

/** With a certificate for this name, or without TLS. */
export function startReceiver(certified?: keyof typeof certificates): Receiver {
  const received: Received[] = [];
  const receiver: Receiver = {
    url: '',
    received,
    answer: undefined,
    get types() {
      return received.map(({ body }) => JSON.parse(body).type);
    },
    get numbers() {
      return received.map(({ body }) => JSON.parse(body).data.sequence);
    },
  };
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    ...(certified && { tls: certificates[certified] }),
    async fetch(request) {
      received.push({ headers: request.headers, body: await request.text() });
      return receiver.answer?.() ?? new Response(null, { status: 204 });
    },
  });
  closeLater(() => server.stop(true));
  return Object.assign(receiver, { url: `http${certified ? 's' : ''}://127.0.0.1:${server.port}/events` });
}

/** A webhook to which something was sent, and something could not be sent. */
export async function makeWebhook(owner: Person): Promise<void> {
  await owner.send('/account/webhooks/', { url: 'https://repair.example/events', filter: 'tags=repair' });
  const at = Date.parse('2026-11-20T10:00:00Z') * 1000;
  const body = { type: 'project.changed', timestamp: '2026-11-20T10:00:00.000Z', data: { sequence: 7 } };
  const request = JSON.stringify({
    headers: { 'webhook-id': '1-7', 'webhook-timestamp': '1763632800' },
    body,
  });
  const attempts = [
    { sequence: 7, status: 204, error: '', response: '' },
    { sequence: 8, status: 503, error: 'status', response: '{"detail": "Back soon."}' },
    { sequence: 8, status: null, error: 'connection', response: '' },
  ];
  await owner.site.database.transaction(async (transaction) => {
    const rows = attempts.map((attempt, index) => ({
      id: index + 1,
      webhook: 1,
      at,
      milliseconds: 35,
      request,
      ...attempt,
    }));
    await transaction.insert(webhookAttemptTable, rows);
    await transaction.insert(webhookDeadLetterTable, [{ webhook: 1, sequence: 8, at }]);
  });
}

export const webhooksPath = '/api/v1/webhooks/';

/** So that receivers of tests are reached. */
export const allowReceivers = { VITRINE_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8' };

export interface Webhook {
  readonly id: number;
  readonly secret: string;
  readonly active: boolean;
  readonly disabled_reason: string | null;
  readonly failures: number;
  readonly dead_letters: number;
  readonly next_attempt: string | null;
  readonly position: number;
}

/** In a session that has just begun. */
export async function postSignedIn({ site, username = '' }: Person, path: string, body: object = {}) {
  const headers = { ...(await site.signIn(username)), 'Content-Type': 'application/json' };
  return site.request(path, { method: 'POST', headers, body: JSON.stringify(body) });
}

export async function createWebhook(owner: Person, body: object): Promise<Webhook> {
  const response = await postSignedIn(owner, webhooksPath, body);
  if (response.status !== 201) throw new Error(await response.text());
  return (await response.json()) as Webhook;
}

export const readWebhook = (owner: Person, { id }: Pick<Webhook, 'id'>) =>
  owner.json<Webhook>(`${webhooksPath}${id}/`);

/** As if the database had been changed by the passing of time. */
export const runSql = (site: Site, ...texts: string[]) =>
  site.database.transaction(async (transaction) => {
    for (const text of texts) await transaction.run(raw(text));
  });
