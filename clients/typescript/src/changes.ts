import type { CallOptions, Connection } from './connection.ts';
import { Follower } from './follower.ts';
import type { Change, ChangeHead, Changes as ChangePage, QueryOf } from './types.ts';

type Position = 'since' | 'limit' | 'wait' | 'format';

export type ChangeFilters = Omit<QueryOf<'listChanges'>, Position>;

export interface FollowOptions extends CallOptions {
  /** The number of the last change that you know. Without it, only what happens from now on. */
  readonly since?: number | undefined;
  readonly filters?: ChangeFilters;
}

/** The changes of the gallery that you may see. */
export class Changes {
  constructor(private readonly connection: Connection) {}

  async page(query: QueryOf<'listChanges'> = {}, { signal }: CallOptions = {}): Promise<ChangePage> {
    return (await this.connection.request<ChangePage>({ path: 'changes/', query, signal })).result;
  }

  /** The number of the last change, and a hash of all. */
  async head({ signal }: CallOptions = {}): Promise<ChangeHead> {
    return (await this.connection.request<ChangeHead>({ path: 'changes/head/', signal })).result;
  }

  /**
   * Every change, in order and once, as soon as it happens. Lost connections are resumed. The loop ends when the signal
   * aborts. The error is `Gone` if the gallery was restored from an older backup.
   */
  async *follow(options: FollowOptions = {}): AsyncGenerator<Change, void, undefined> {
    const { filters = {}, signal } = options;
    try {
      const since = options.since ?? (await this.head({ signal })).sequence;
      yield* new Follower(this.connection, { since, filters, signal }).follow();
    } catch (error) {
      if (!signal?.aborted) throw error;
    }
  }
}
