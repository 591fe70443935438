// Counts what limits count together with the servers on other machines, in Redis or Valkey. A process counts by itself, and
// tells Redis of it a moment later: no request waits for that, and without Redis it goes on counting.

import { RedisClient } from 'bun';
import { reasonOf } from './errors.ts';
import type { Log } from './log.ts';
import { Outage } from './outage.ts';
import { type Secret, sign } from './signature.ts';
import { timeLimits } from './time-limits.ts';
import { withTimeout } from './timeout.ts';

/** How late other servers know. */
const intervalMs = 50;
/** How often Redis is asked for nothing: to notice when it is gone, and when it is back. */
const checkMs = 1000;
/** How long the streams of a process count after it was killed. */
const streamsMs = 30_000;
const maxBatch = 1000;

/** A bucket is full again at a time in microseconds of the clock of Redis. The result is how far away that is. */
const addToBuckets = `
  local time = redis.call('TIME')
  local now, left = time[1] * 1000000 + time[2], {}
  for place, key in ipairs(KEYS) do
    local full = math.max(tonumber(redis.call('GET', key) or 0), now) + ARGV[place]
    redis.call('SET', key, string.format('%.0f', full), 'PX', math.ceil((full - now) / 1000) + 1)
    left[place] = full - now
  end
  return left`;

/** Stores how many streams a process has for each owner. The result is how many the other processes have. */
const countStreams = `
  local now, others = tonumber(redis.call('TIME')[1]), {}
  for place, key in ipairs(KEYS) do
    local sum = 0
    redis.call('HSET', key, ARGV[1], ARGV[place + 2] .. ' ' .. (now + ARGV[2] / 1000))
    redis.call('PEXPIRE', key, ARGV[2])
    local all = redis.call('HGETALL', key)
    for field = 1, #all, 2 do
      local count, ends = string.match(all[field + 1], '(%d+) ([%d.]+)')
      if tonumber(ends) < now or count == '0' then redis.call('HDEL', key, all[field])
      elseif all[field] ~= ARGV[1] then sum = sum + count end
    end
    others[place] = sum
  end
  return others`;

interface Bucket {
  /** In microseconds. */
  taken: number;
  /** Gets how long the bucket needs to be full again, in microseconds. */
  readonly onCount: (left: number) => void;
}

export class SharedLimits {
  readonly #process = crypto.randomUUID();
  #client: RedisClient | undefined;
  #buckets = new Map<string, Bucket>();
  #streams = new Map<string, number>();
  #askedAt = Number.NEGATIVE_INFINITY;
  readonly #outage = new Outage(
    (error) =>
      this.log?.error('-', `Redis cannot be used, and each server counts by itself: ${reasonOf(error)}.`),
    () => this.log?.info('Redis counts the limits of all servers again.'),
  );
  #isSending = false;
  readonly #timer = setInterval(() => void this.#send(), intervalMs).unref();

  constructor(
    private readonly address: string,
    /** Shared by the servers of a gallery. Nobody who reads the keys in Redis learns whom they are about. */
    private readonly secret: Secret,
    /** One process of a server has it. */
    private readonly log: Pick<Log, 'info' | 'error'> | undefined,
  ) {}

  /** Counts what was taken from a bucket. */
  take(name: string, microseconds: number, onCount: (left: number) => void): void {
    const bucket = this.#buckets.get(name);
    if (bucket) bucket.taken += microseconds;
    else this.#buckets.set(name, { taken: microseconds, onCount });
  }

  /** Counts the streams of a person or an address in this process. */
  setStreams(owner: string, count: number): void {
    this.#streams.set(owner, count);
  }

  /** How many streams the other processes have: 0 if that is unknown. */
  async countOtherStreams(owner: string, own: number): Promise<number> {
    const counts = this.#outage.isOn ? undefined : await this.#countStreams([[owner, own]]);
    return counts?.[0] ?? 0;
  }

  close(): void {
    clearInterval(this.#timer);
    const client = this.#client;
    this.#client = undefined;
    client?.close();
  }

  async #send(): Promise<void> {
    const mustCheck = performance.now() - this.#askedAt >= checkMs;
    if (this.#isSending || (this.#outage.isOn && !mustCheck)) return;
    this.#isSending = true;
    const buckets = [...this.#buckets];
    const streams = [...this.#streams];
    this.#buckets = new Map();
    this.#streams = new Map();
    if (mustCheck) await this.#run('return {}', [], []);
    for (let first = 0; first < buckets.length && !this.#outage.isOn; first += maxBatch)
      await this.#addToBuckets(buckets.slice(first, first + maxBatch));
    for (let first = 0; first < streams.length && !this.#outage.isOn; first += maxBatch)
      await this.#countStreams(streams.slice(first, first + maxBatch));
    this.#isSending = false;
  }

  async #addToBuckets(buckets: readonly (readonly [name: string, bucket: Bucket])[]): Promise<void> {
    const names = buckets.map(([name]) => name);
    const values = buckets.map(([, { taken }]) => taken);
    const left = await this.#run(addToBuckets, names, values);
    for (const [place, [, { onCount }]] of buckets.entries()) onCount(left?.[place] ?? 0);
  }

  #countStreams(streams: readonly (readonly [owner: string, count: number])[]) {
    const counts = streams.map(([, count]) => count);
    const owners = streams.map(([owner]) => `stream ${owner}`);
    return this.#run(countStreams, owners, [this.#process, streamsMs, ...counts]);
  }

  /** Undefined if Redis does not answer. What was not sent is not sent later: this process has counted it. */
  async #run(script: string, names: readonly string[], values: readonly (string | number)[]) {
    this.#askedAt = performance.now();
    const keys = names.map((name) => `vitrine:${sign(this.secret, name)}`);
    this.#client ??= connect(this.address);
    const client = this.#client;
    try {
      const result = await withTimeout(timeLimits.redis, evaluate(client, script, keys, values), noResponse);
      this.#outage.end();
      return result;
    } catch (error) {
      client.close();
      // Others have waited for the same.
      if (this.#client !== client) return undefined;
      this.#client = undefined;
      this.#outage.begin(error);
      return undefined;
    }
  }
}

const noResponse = new Error('it does not respond');
const connect = (address: string) => new RedisClient(address, { autoReconnect: false });

async function evaluate(
  client: RedisClient,
  script: string,
  keys: readonly string[],
  values: readonly (string | number)[],
): Promise<number[]> {
  if (!client.connected) await client.connect();
  return client.send('EVAL', [script, String(keys.length), ...keys, ...values.map(String)]);
}

/** Whether an address can be read. */
export function isRedisAddress(address: string): boolean {
  if (!/^(redis|valkey)s?:\/\/[^/]/.test(address) || !URL.canParse(address)) return false;
  try {
    connect(address).close();
    return true;
  } catch {
    return false;
  }
}

/** Returns what is wrong with the server, if anything is. */
export async function findRedisProblem(address: string): Promise<string | undefined> {
  const client = connect(address);
  try {
    await withTimeout(timeLimits.probe, evaluate(client, 'return {}', [], []), noResponse);
    return undefined;
  } catch (error) {
    return reasonOf(error);
  } finally {
    client.close();
  }
}
