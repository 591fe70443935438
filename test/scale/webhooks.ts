// Webhooks from two server processes, while servers and receivers are killed: npm run test:scale. EVENTS is the number of
// writes.

import { expect, test } from 'bun:test';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import sql from 'sql-template-tag';
import { pick } from '../../src/database/columns.ts';
import { select } from '../../src/database/query.ts';
import { changeTable } from '../../src/database/schema.ts';
import { openGallery } from '../../src/gallery/open.ts';
import { closeLater } from '../support/closing.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { type Server, serve, vitrine } from '../support/server.ts';
import { ada, contributor, dump, siteAt } from '../support/site.ts';
import { noLimits, waitFor } from '../support/workers.ts';

const writes = Number(process.env.EVENTS ?? 300);
const timeoutMs = 120_000 + writes * 20;
const receiverProgram = join(import.meta.dir, '../support/webhook-receiver-program.ts');

interface Event {
  readonly sequence: number;
  readonly action: string;
  readonly kind: string;
  readonly id: number;
}

/** A receiver that is started again at its port when it is killed. */
class KillableReceiver {
  readonly file = temporaryPath('received');
  #process: Subprocess<'ignore', 'pipe', 'inherit'> | undefined;
  #port = 0;

  static async start(): Promise<KillableReceiver> {
    const receiver = new KillableReceiver();
    await receiver.#start();
    closeLater(async () => receiver.#process?.kill('SIGKILL'));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get events(): Event[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines.map((line) => JSON.parse(line).data);
  }

  async #start(): Promise<void> {
    const command = [process.execPath, receiverProgram, this.file, String(this.#port)];
    const child = spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
      this.#port = Number(chunk);
      break;
    }
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
    await this.#start();
  }
}

const post = async (server: Server | undefined, path: string, key: string, body: object, method = 'POST') => {
  const response = await fetch(`${server?.address}/api/v1/${path}`, {
    method,
    headers: { Authorization: key, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  });
  return response.ok ? ((await response.json()) as { id?: number }) : undefined;
};

/** The numbers without those that came a second time. */
const firstTimes = (events: readonly Event[]) => [...new Set(events.map(({ sequence }) => sequence))];

onBothDatabases((kind) => {
  test(
    'while servers and receivers are killed, each endpoint gets every event of its owner, in order, and no other',
    async () => {
      const database = await emptyDatabase(kind);
      const site = await siteAt(database, { dump: dump(ada, contributor(2, 'bob'), contributor(3, 'mo')) });
      const keyOf = async (name: string, role?: 'moderator') =>
        (await site.key(name, { role })).Authorization ?? '';
      const keys = [await keyOf('ada'), await keyOf('bob'), await keyOf('mo', 'moderator')];
      await site.close();
      const options = ['--database', database, '--files', temporaryPath('files'), ...noLimits];
      const allowed = ['--webhook-allow-network', '127.0.0.1'];
      const servers = await Promise.all([serve(...options, ...allowed), serve(...options, ...allowed)]);
      const receivers = await Promise.all(keys.map(() => KillableReceiver.start()));
      for (const [index, receiver] of receivers.entries()) {
        const [name = '', events = ''] =
          [
            ['ada', 'own'],
            ['bob', 'own'],
            ['mo', 'gallery'],
          ][index] ?? [];
        const webhook = [name, receiver.url, 'http://localhost', events];
        expect((await vitrine('webhook', 'add', ...webhook, '--database', database, ...allowed)).code).toBe(
          0,
        );
      }

      const kills = [writes / 4, writes / 2, (3 * writes) / 4].map(Math.floor);
      for (let number = 1; number <= writes; number++) {
        const visibility = ['public', 'private', 'unlisted'][number % 3];
        const write = post(servers[number % 2], 'projects/', keys[number % 2] ?? '', {
          title: `${number}`,
          visibility,
        });
        await write.catch(() => undefined);
        if (!kills.includes(number)) continue;
        const killed = kills.indexOf(number) % 2;
        const { port } = servers[killed] as Server;
        await servers[killed]?.stop('SIGKILL');
        servers[killed] = await serve(...options, ...allowed, '--port', String(port));
        await receivers[kills.indexOf(number)]?.kill();
      }

      const gallery = await openGallery(database);
      closeLater(() => gallery.close());
      const logged = await gallery.all(
        select(
          pick(changeTable.columns, 'sequence', 'owner'),
          sql`from change where kind = 'project' and action <> 'imported' order by sequence`,
        ),
      );
      for (const [index, receiver] of receivers.entries()) {
        const expected = logged
          .filter(({ owner }) => index === 2 || owner === index + 1)
          .map(({ sequence }) => sequence);
        expect(expected.length).toBeGreaterThan(writes / 4);
        await waitFor(() => receiver.events.at(-1)?.sequence === expected.at(-1), timeoutMs / 2);
        const own = receiver.events.filter(({ kind }) => kind === 'project');
        // In order: one that comes a second time is followed by the same ones again.
        expect(firstTimes(own)).toEqual(expected);
      }
    },
    timeoutMs,
  );
});
