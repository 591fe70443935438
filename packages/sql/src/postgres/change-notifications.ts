// Hears from PostgreSQL that another process has numbered changes. A notification can be lost without a sign: behind a
// pooler, or on a connection that a firewall has dropped. So each process sends itself one from time to time, and asks the
// database more often if it does not come.

import type { SQL } from 'bun';
import type { SharedMemory } from '../../../common/src/shared-memory.ts';
import { ownName } from './server.ts';

/** How often a process asks and sends itself a notification while it hears the others. */
export const checkIntervalMs = 5000;
/** Nothing is expected from the connection after so long without any notification. */
const maxSilenceMs = 2.5 * checkIntervalMs;
const reconnectMs = 30_000;

const serverMark = ', server ';
/** The name of the connection. The workers of a server share their memory, and so this name. */
export const listenerName = (url: URL, { hashSeed }: Pick<SharedMemory, 'hashSeed'>) =>
  ownName(url) + serverMark + Bun.hash(String(hashSeed)).toString(36);
/** Counts servers, for `vitrine doctor`. */
export const serverCount = `(
  select count(distinct substring(application_name from '${serverMark}.*'))::int from pg_stat_activity
  where datname = current_database())`;

export const channel = 'vitrine_changes';
export const kinds = { changed: 'changed', check: 'check' };

export class ChangeNotifications {
  /** Ends the payload of what this process sends. */
  readonly sender = crypto.randomUUID();
  #client: SQL | undefined;
  #heardAt = Number.NEGATIVE_INFINITY;
  #checkedAt = Number.NEGATIVE_INFINITY;
  #connectedAt = Number.NEGATIVE_INFINITY;

  constructor(
    /** Undefined if nothing can be heard. */
    private readonly connect: (onClose: () => void) => SQL | undefined,
    /** Another process has numbered changes, or may have done so. */
    private readonly onChange: () => void,
  ) {}

  get areHeard(): boolean {
    return performance.now() - this.#heardAt < maxSilenceMs;
  }

  /** Whether the process should send itself a notification now. */
  beginCheck(): boolean {
    const now = performance.now();
    if (!this.#client || now - this.#checkedAt < checkIntervalMs) return false;
    this.#checkedAt = now;
    return true;
  }

  /** Connects if that is needed. The client itself connects again when it has noticed the end of a connection. */
  listen(): void {
    const now = performance.now();
    if (this.areHeard || now - this.#connectedAt < reconnectMs) return;
    this.stop();
    this.#connectedAt = now;
    const isCurrent = () => this.#client === client;
    const client = this.connect(() => isCurrent() && this.#forget());
    this.#client = client;
    const hear = (payload: string) => isCurrent() && this.#hear(payload);
    const begin = () => isCurrent() && this.#begin();
    client?.listen(channel, hear, begin).catch(() => isCurrent() && this.stop());
  }

  /** The address may lead to another server now. */
  restart(): void {
    this.stop();
    this.#connectedAt = Number.NEGATIVE_INFINITY;
  }

  stop(): void {
    this.#forget();
    this.#client?.close({ timeout: 0 });
    this.#client = undefined;
  }

  #forget(): void {
    this.#heardAt = Number.NEGATIVE_INFINITY;
  }

  /** What was sent before is lost. */
  #begin(): void {
    this.#checkedAt = Number.NEGATIVE_INFINITY;
    this.onChange();
  }

  #hear(payload: string): void {
    this.#heardAt = performance.now();
    const [kind, sender] = payload.split(' ');
    if (kind === kinds.changed && sender !== this.sender) this.onChange();
  }
}
