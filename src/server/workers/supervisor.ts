// Starts the workers of a server and watches them: one that has died is replaced, and on SIGHUP one after another. Their
// lines become one log. A worker that cannot talk to its supervisor any more stops.

import type { Subprocess } from 'bun';
import type { Log } from '#common/log.ts';
import { describeMemory, joinMemory, newHashSeed } from '#common/shared-memory.ts';
import { type WatchedWorker, watchHeartbeats } from './heartbeats.ts';
import { type WorkerOptions, workerVariable } from './worker.ts';

interface WorkerProcess extends WatchedWorker {
  readonly child: Subprocess<'ignore', 'pipe', 'inherit'>;
  /** Resolves when it serves, or with false when it has ended before. */
  readonly isReady: Promise<boolean>;
  /** Resolves when all its lines have been passed on. */
  readonly logged: Promise<void>;
}

interface SupervisorOptions {
  readonly count: number;
  readonly port: number;
  readonly folder: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly log: Log;
}

const minuteMs = 60_000;
/** A worker that has died less often within a minute is started again at once. */
const maxQuickRestarts = 2;
const maxDelayMs = 30_000;

export class Supervisor {
  /** By number. */
  readonly #workers = new Map<number, WorkerProcess>();
  /** All that have not ended, also those that are about to replace others. */
  readonly #running = new Set<WorkerProcess>();
  readonly #deaths = new Map<number, number[]>();
  /** For the beginning of the log. */
  readonly notices: string[] = [];
  readonly #hashSeed = newHashSeed();
  #replacing: Promise<void> = Promise.resolve();
  #isStarting = true;
  #isStopping = false;

  constructor(private readonly options: SupervisorOptions) {
    const { folder, log } = options;
    const memory = joinMemory(describeMemory(folder, this.#hashSeed));
    // At first, a migration may take long.
    const listWatched = () => [...this.#running].filter(({ isServing }) => isServing || !this.#isStarting);
    watchHeartbeats(memory, listWatched, (message) => log.error('-', message));
  }

  /** The first worker prepares the database for the others. Returns the exit code if a worker does not start. */
  async start(): Promise<number | undefined> {
    const start = async (number: number) => {
      const worker = this.#startWorker(number);
      return (await worker.isReady) ? undefined : worker.child.exited;
    };
    const failure = await start(1);
    if (failure !== undefined) return failure;
    const others = Array.from({ length: this.options.count - 1 }, (_, index) => start(index + 2));
    const code = (await Promise.all(others)).find((exitCode) => exitCode !== undefined);
    this.#isStarting = false;
    return code ?? (this.#workers.size < this.options.count ? 1 : undefined);
  }

  /** Starts a process for each worker, and stops the old one when the new one serves. */
  replaceAll(): Promise<void> {
    this.#replacing = this.#replacing.then(async () => {
      for (let number = 1; number <= this.options.count && !this.#isStopping; number++) {
        if (await this.#replace(number)) continue;
        if (!this.#isStopping)
          this.options.log.error('-', `Worker ${number} could not be replaced: the old workers go on.`);
        return;
      }
      if (!this.#isStopping) this.options.log.info('All workers have been replaced.');
    });
    return this.#replacing;
  }

  async #replace(number: number): Promise<boolean> {
    const next = this.#spawn(number);
    if (!(await next.isReady)) return false;
    const old = this.#workers.get(number);
    this.#workers.set(number, next);
    old?.child.kill('SIGTERM');
    await old?.child.exited;
    return true;
  }

  /** Lets all workers finish their requests. Returns the exit code. */
  async stop(): Promise<number> {
    this.#isStopping = true;
    const workers = [...this.#running];
    // One that does not serve yet has nothing to finish.
    for (const { child, isServing } of workers) child.kill(isServing ? 'SIGTERM' : 'SIGKILL');
    const codes = await Promise.all(
      workers.map(async ({ isReady, child }) => ((await isReady) ? child.exited : 0)),
    );
    await Promise.all(workers.map(({ logged }) => logged));
    return codes.find((code) => code !== 0) ?? 0;
  }

  #spawn(number: number): WorkerProcess {
    const { port, folder, environment } = this.options;
    const slot = this.#findFreeSlot();
    const workerOptions: WorkerOptions = {
      number,
      port,
      logsToTerminal: process.stdout.isTTY === true,
      memory: describeMemory(folder, this.#hashSeed),
      slot,
    };
    const ready = Promise.withResolvers<boolean>();
    const program = Bun.main.includes('$bunfs') ? [] : [Bun.main];
    const child = Bun.spawn([process.execPath, ...program, ...process.argv.slice(2)], {
      env: { ...environment, [workerVariable]: JSON.stringify(workerOptions) },
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'inherit',
      ipc: ({ notices }: { notices: readonly string[] }) => {
        this.notices.push(...notices);
        worker.isServing = true;
        ready.resolve(true);
      },
      onExit: () => {
        ready.resolve(false);
        this.#handleExit(worker);
      },
    });
    const logged = passLines(child.stdout, process.stdout);
    const worker = { number, slot, child, isServing: false, isReady: ready.promise, logged };
    this.#running.add(worker);
    return worker;
  }

  #findFreeSlot(): number {
    const taken = new Set([...this.#running].map(({ slot }) => slot));
    let slot = 0;
    while (taken.has(slot)) slot++;
    return slot;
  }

  #startWorker(number: number): WorkerProcess {
    const worker = this.#spawn(number);
    this.#workers.set(number, worker);
    return worker;
  }

  #handleExit(worker: WorkerProcess): void {
    this.#running.delete(worker);
    const { number, child } = worker;
    if (this.#isStopping || this.#workers.get(number) !== worker) return;
    this.#workers.delete(number);
    if (this.#isStarting) return;
    const now = performance.now();
    const deaths = [...(this.#deaths.get(number) ?? []), now].filter((time) => now - time < minuteMs);
    this.#deaths.set(number, deaths);
    const quick = deaths.length <= maxQuickRestarts;
    const delayMs = quick ? 0 : Math.min(maxDelayMs, 1000 * 2 ** (deaths.length - maxQuickRestarts - 1));
    const cause = child.signalCode ?? `exit code ${child.exitCode}`;
    const next = quick
      ? 'it is started again'
      : `the ${ordinal(deaths.length)} time within a minute: it is started again in ${delayMs / 1000} s`;
    this.options.log.error('-', `Worker ${number} has ended with ${cause}, ${next}.`);
    const restart = () => {
      if (!this.#isStopping && !this.#workers.has(number)) this.#startWorker(number);
    };
    if (quick) restart();
    else setTimeout(restart, delayMs);
  }
}

const ordinal = (count: number) => `${count}${count === 3 ? 'rd' : 'th'}`;

const lineBreak = 10;

/** Writes a stream into another one that several write to: whole lines at a time. */
async function passLines(lines: ReadableStream<Uint8Array>, sink: { write(bytes: Uint8Array): unknown }) {
  let rest = new Uint8Array();
  for await (const chunk of lines) {
    const end = chunk.lastIndexOf(lineBreak) + 1;
    if (end > 0) sink.write(Buffer.concat([rest, chunk.subarray(0, end)]));
    rest = end > 0 ? chunk.slice(end) : Buffer.concat([rest, chunk]);
  }
  // The process was killed while it wrote.
  if (rest.length) sink.write(Buffer.concat([rest, new Uint8Array([lineBreak])]));
}
