// Processes that a test kills with SIGKILL and starts again as they were.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Subprocess, spawn } from 'bun';
import { closeLater } from './closing.ts';
import { temporaryPath } from './databases.ts';
import { freePort } from './processes.ts';
import { type Server, serve } from './server.ts';

const followProgram = join(import.meta.dir, 'follow-changes.ts');
const receiverProgram = join(import.meta.dir, 'webhook-receiver-program.ts');

/** A server on a port of its own, which is started again there. */
export class KillableServer {
  private constructor(
    private server: Server,
    private readonly options: readonly string[],
  ) {}

  static async start(...more: string[]): Promise<KillableServer> {
    const options = [...more, '--port', String(freePort())];
    return new KillableServer(await serve(...options), options);
  }

  get address(): string {
    return this.server.address;
  }

  get pid(): number {
    return this.server.process.pid;
  }

  async kill(): Promise<void> {
    await this.server.stop('SIGKILL');
    this.server = await serve(...this.options);
  }
}

export interface Entry {
  readonly sequence: number;
  readonly action: string;
  readonly kind: string;
  readonly id: number;
}

interface Page {
  readonly last: number;
  readonly next: string | null;
  readonly results: readonly Entry[];
}

/** A client process that is started again when it is killed. */
export class KillableClient {
  readonly file = temporaryPath('events');
  #process: ReturnType<typeof spawn>;

  constructor(
    readonly authorization: string,
    private readonly servers: readonly KillableServer[],
  ) {
    this.#process = this.#start();
    closeLater(async () => this.#process.kill('SIGKILL'));
  }

  #start() {
    const addresses = this.servers.map(({ address }) => address);
    const command = [process.execPath, followProgram, this.file, this.authorization, ...addresses];
    return spawn(command, { stdio: ['ignore', 'inherit', 'inherit'] });
  }

  async kill(): Promise<void> {
    this.#process.kill('SIGKILL');
    await this.#process.exited;
    this.#process = this.#start();
  }

  /** All that was received, also again after a kill. */
  get entries(): Entry[] {
    if (!existsSync(this.file)) return [];
    const lines = readFileSync(this.file, 'utf8').split('\n').slice(0, -1);
    return lines
      .filter((line) => !line.endsWith('killed'))
      .map((line) => JSON.parse(line.slice(line.indexOf(' '))));
  }
}

export async function readAll(server: KillableServer | undefined, authorization: string): Promise<Entry[]> {
  const entries: Entry[] = [];
  const headers = { ...(authorization && { Authorization: authorization }) };
  for (let path: string | null = `${server?.address}/api/v1/changes/?limit=1000`; path; ) {
    const page = (await (await fetch(path, { headers })).json()) as Page;
    entries.push(...page.results);
    path = page.next;
  }
  return entries;
}

export interface Event {
  readonly sequence: number;
  /** Of the project. */
  readonly id: number;
}

/** The numbers without those that came a second time. */
export const firstTimes = (events: readonly { readonly sequence: number }[]) => [
  ...new Set(events.map(({ sequence }) => sequence)),
];

/** A receiver that is started again at its port when it is killed. */
export class KillableReceiver {
  readonly file = temporaryPath('received');
  #process: Subprocess<'ignore', 'pipe', 'inherit'> | undefined;
  readonly #port = freePort();

  static async start(): Promise<KillableReceiver> {
    const receiver = new KillableReceiver();
    await receiver.#start();
    closeLater(async () => receiver.#process?.kill('SIGKILL'));
    return receiver;
  }

  get url(): string {
    return `http://127.0.0.1:${this.#port}/`;
  }

  get #lines(): string[] {
    return existsSync(this.file) ? readFileSync(this.file, 'utf8').split('\n').slice(0, -1) : [];
  }

  get events(): Event[] {
    return this.#lines
      .map((line) => JSON.parse(line))
      .flatMap(({ type, data }) =>
        type === 'events' ? data.events.map((event: { data: Event }) => event.data) : data,
      );
  }

  async #start(): Promise<void> {
    const command = [process.execPath, receiverProgram, this.file, String(this.#port)];
    const child = spawn(command, { stdio: ['ignore', 'pipe', 'inherit'] });
    this.#process = child;
    // It says when it listens.
    await child.stdout.getReader().read();
  }

  async kill(): Promise<void> {
    this.#process?.kill('SIGKILL');
    await this.#process?.exited;
    await this.#start();
  }
}
