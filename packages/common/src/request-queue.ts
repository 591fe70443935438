// Runs a limited number of tasks at a time. The others wait in the order in which their requests came, so that a
// request that has begun is finished before new ones begin; tasks with a turn take turns by their senders. A task that
// could not be answered in time is refused at once, and one whose request is over leaves the queue.

import { Refused } from './errors.ts';
import { waitToRefuse } from './refusal-pace.ts';
import { currentLifetime, type RequestLifetime } from './request-lifetime.ts';
import { withResolvers } from './with-resolvers.ts';

interface QueueLimits {
  readonly maxRunning: number;
  readonly maxWaiting: number;
}

/** How many tasks wait now, how many have begun, and how long these had waited in all. */
export interface QueueStats {
  readonly waiting: number;
  readonly started: number;
  readonly waitedMs: number;
}

interface WaitingTask {
  /** The time of arrival; work outside of requests and with priority counts as earlier. */
  readonly arrival: number;
  readonly turn: Turn | undefined;
  start(): void;
}

/** The weight of the last task in the average duration. */
const lastWeight = 0.1;

export class RequestQueue {
  #running = 0;
  #waiting: WaitingTask[] = [];
  #averageMs = 0;
  /** When the last task ended, or the last free place was taken. */
  #movedAt = 0;
  #started = 0;
  #waitedMs = 0;

  constructor(private readonly limits: QueueLimits) {}

  get isIdle(): boolean {
    return this.#running === 0;
  }

  get stats(): QueueStats {
    return { waiting: this.#waiting.length, started: this.#started, waitedMs: this.#waitedMs };
  }

  /**
   * Work outside of requests goes first and is never refused. The time of `prepare` tells nothing about how long the
   * next tasks will take, so it does not count for the average.
   */
  async run<Result>(
    work: () => Promise<Result>,
    { prepare, turn }: { readonly prepare?: (() => Promise<void>) | undefined; readonly turn?: Turn } = {},
  ): Promise<Result> {
    const waiting = this.enter(turn);
    if (waiting) await waiting;
    let startedAt = performance.now();
    try {
      if (prepare) {
        await prepare();
        startedAt = performance.now();
      }
      return await work();
    } finally {
      this.leave(startedAt);
    }
  }

  /** Takes a place for a task, and returns a promise if the task has to wait. */
  enter(turn?: Turn): Promise<void> | undefined {
    const lifetime = currentLifetime();
    lifetime?.throwIfOver();
    if (this.#running === this.limits.maxRunning) return this.#waitForPlace(lifetime, turn);
    this.#started++;
    if (++this.#running === this.limits.maxRunning) this.#movedAt = performance.now();
    return undefined;
  }

  /** Gives the place to the next task. */
  leave(startedAt: number): void {
    this.#movedAt = performance.now();
    this.#averageMs += (this.#movedAt - startedAt - this.#averageMs) * lastWeight;
    const next = this.#waiting.shift();
    if (next) next.start();
    else this.#running--;
  }

  async #waitForPlace(lifetime: RequestLifetime | undefined, turn?: Turn): Promise<void> {
    const { promise, resolve, reject } = withResolvers<void>();
    const waitsSince = performance.now();
    const endWait = lifetime?.trace?.start('wait');
    const leave = () => {
      endWait?.();
      this.#waiting.splice(this.#waiting.indexOf(task), 1);
      reject(new Refused('the request is over'));
    };
    const task: WaitingTask = {
      arrival: !lifetime || lifetime.hasPriority ? 0 : lifetime.startedAt,
      turn,
      start: () => {
        endWait?.();
        this.#started++;
        this.#waitedMs += performance.now() - waitsSince;
        lifetime?.signal.removeEventListener('abort', leave);
        resolve();
      },
    };
    const order = this.#orderWith(task);
    if (lifetime && !lifetime.hasPriority && this.#isTooLate(lifetime, order.indexOf(task))) {
      endWait?.();
      await waitToRefuse();
      throw new Refused('too many requests wait');
    }
    this.#waiting = order;
    lifetime?.signal.addEventListener('abort', leave, { once: true });
    return promise;
  }

  /** Behind all earlier requests, or in its turn. */
  #orderWith(task: WaitingTask): WaitingTask[] {
    if (task.turn) return takeTurns([...this.#waiting, task]);
    const position = this.#waiting.findLastIndex(({ arrival }) => arrival <= task.arrival) + 1;
    return this.#waiting.toSpliced(position, 0, task);
  }

  /** Half of the remaining time may be spent with waiting. */
  #isTooLate({ remainingMs }: RequestLifetime, position: number): boolean {
    const { maxRunning, maxWaiting } = this.limits;
    const averageMs = this.#averageMs / maxRunning;
    // If nothing has ended for long, the next task will not end soon either.
    const nextMs = Math.max(averageMs, performance.now() - this.#movedAt);
    return position >= maxWaiting || nextMs + position * averageMs > remainingMs / 2;
  }
}

// One queue for each person, before a queue that all share: nobody waits for all tasks of somebody else.

export class QueuePerPerson<Person> {
  #queues = new Map<Person, RequestQueue>();

  constructor(private readonly limits: QueueLimits) {}

  async run<Result>(person: Person, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(person) ?? new RequestQueue(this.limits);
    this.#queues.set(person, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.#queues.delete(person);
    }
  }
}

// The order in which tasks of several people are done, so that nobody fills a queue alone: a person's second task comes
// after everybody's first one.

export interface Turn {
  /** Goes before all who are not known. */
  readonly isKnown: boolean;
  readonly name: string;
  /** The network address, which many names may share. */
  readonly address: string;
}

interface TaskWithTurn {
  readonly turn?: Turn | undefined;
}

/** At one address the names take turns, then the addresses do. Those who came first go first otherwise. */
export function takeTurns<Task extends TaskWithTurn>(tasks: readonly Task[]): Task[] {
  const byName = inRounds(tasks, ({ turn }) => `${turn?.address} ${turn?.name}`);
  const byAddress = inRounds(byName, ({ turn }) => turn?.address);
  return byAddress.sort((one, other) => Number(isUnknown(one)) - Number(isUnknown(other)));
}

const isUnknown = ({ turn }: TaskWithTurn) => turn?.isKnown === false;

function inRounds<Task>(tasks: readonly Task[], personOf: (task: Task) => string | undefined): Task[] {
  const counts = new Map<string | undefined, number>();
  const rounds = tasks.map((task) => {
    const round = counts.get(personOf(task)) ?? 0;
    counts.set(personOf(task), round + 1);
    return { task, round };
  });
  return rounds.sort((one, other) => one.round - other.round).map(({ task }) => task);
}
