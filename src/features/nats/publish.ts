// Publishes the change log into a stream of NATS JetStream. The last message of the stream says where to go on: nothing is
// stored here. The server takes a message only as the next one after the last that this process knows, so that nothing
// is missed, doubled or in another order, whatever is killed. See docs/decisions/0106-changes-to-nats.md.

import {
  JetStreamApiCodes,
  JetStreamApiError,
  type JetStreamClient,
  type JetStreamManager,
  jetstream,
  jetstreamManager,
  type StoredMsg,
} from '@nats-io/jetstream';
import { connect, type NatsConnection } from '@nats-io/transport-node';
import { OperatorError, reasonOf } from '#common/errors.ts';
import type { Database } from '#sql';
import { findChangeHead, findLastArchive } from '../../core/changes/head.ts';
import { repeatOnChanges } from '../../core/changes/repeat-on-changes.ts';
import type { FileStore } from '../../core/files/store.ts';
import { parseInstant } from '../../core/instant.ts';
import { readIdentity } from '../../core/server-secrets.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { type FeedEntry, listChangesSince } from '../../projects/changes/change-feed.ts';
import { listArchivedSince } from '../change-feed/archive.ts';

/** So many are under way. */
const batchSize = 500;
const timeoutMs = 5000;
const retryMs = 1000;
const idHeader = 'Nats-Msg-Id';
/** Who may read the database sees what moderators see. */
const operator: Viewer = { ...anonymous, role: 'admin', isModerator: true };

interface Options {
  readonly address: string;
  /** The first part of the subjects; the stream is named after it. */
  readonly prefix: string;
  serialize(entry: FeedEntry): object;
  report(message: string): void;
  readonly stopped: AbortSignal;
}

type Gallery = { readonly database: Database; readonly files: FileStore };

interface Position {
  /** Of the change that was published last. */
  readonly number: number;
  /** Of the last message, as the stream counts. */
  readonly sequence: number;
}

/** Publishes all changes, and then each new one until it is stopped, or none if it is asked for once. Returns how many. */
export async function publishChanges(
  gallery: Gallery,
  options: Options & { readonly isOnce: boolean },
): Promise<number> {
  const { isOnce, stopped, report } = options;
  const connection = await open(options.address);
  try {
    const identity = await readIdentity(gallery.database);
    const publisher = new ChangePublisher(gallery, connection, identity, options);
    const { number } = await publisher.begin();
    if (!isOnce) report(`Changes after ${number} are published into the stream ${publisher.stream}.`);
    await repeatOnChanges(gallery.database, () => publisher.publishNew(), options);
    return publisher.count;
  } finally {
    if (stopped.aborted) await connection.close();
    else await connection.drain().catch(() => {});
  }
}

async function open(address: string): Promise<NatsConnection> {
  const { protocol, hostname, port, username, password } = new URL(address);
  const server = `${hostname}:${port || 4222}`;
  try {
    const [user, pass] = [decodeURIComponent(username), decodeURIComponent(password)];
    return await connect({
      servers: server,
      name: 'vitrine',
      ...(protocol === 'tls:' && { tls: {} }),
      ...(pass ? { user, pass } : user && { token: user }),
      maxReconnectAttempts: -1,
      reconnectTimeWait: retryMs,
      ignoreAuthErrorAbort: true,
    });
  } catch (error) {
    throw new OperatorError(`The NATS server at ${server} cannot be used: ${reasonOf(error)}.`);
  }
}

class ChangePublisher {
  readonly stream: string;
  count = 0;
  readonly #client: JetStreamClient;
  #manager: JetStreamManager | undefined;
  /** Undefined if the stream has to be asked. */
  #position: Position | undefined;

  constructor(
    private readonly gallery: Gallery,
    private readonly connection: NatsConnection,
    /** No other gallery has it. */
    private readonly identity: string,
    private readonly options: Options,
  ) {
    this.stream = options.prefix.replaceAll('.', '-');
    this.#client = jetstream(connection, { timeout: timeoutMs });
  }

  /** Finds or creates the stream. What fails now is a mistake of the operator. */
  async begin(): Promise<Position> {
    try {
      this.#position = await this.#findPosition();
      return this.#position;
    } catch (error) {
      if (error instanceof OperatorError) throw error;
      throw new OperatorError(`JetStream cannot be used: ${reasonOf(error)}.`);
    }
  }

  /** Publishes what is new. After a failure, the stream is asked where to go on. */
  async publishNew(): Promise<void> {
    try {
      await this.#publishNew();
    } catch (error) {
      this.#position = undefined;
      throw error;
    }
  }

  async #publishNew(): Promise<void> {
    for (let hasMore = true; hasMore && !this.options.stopped.aborted; ) {
      const position = this.#position ?? (await this.#findPosition());
      const page = await this.#read(position.number, batchSize);
      await this.#publish(page.entries, position.sequence);
      this.#position = { number: page.last, sequence: position.sequence + page.entries.length };
      hasMore = page.hasMore;
    }
  }

  async #publish(entries: readonly FeedEntry[], sequence: number): Promise<void> {
    const published = entries.map((entry, index) =>
      this.#client.publish(
        `${this.options.prefix}.${entry.kind}.${entry.action}`,
        JSON.stringify(this.options.serialize(entry)),
        {
          msgID: `${this.identity}-${entry.sequence}`,
          expect: { lastSequence: sequence + index },
          timeout: timeoutMs,
          retries: 0,
        },
      ),
    );
    // None may be under way when the stream is asked for its last message.
    const failed = (await Promise.allSettled(published)).find(({ status }) => status === 'rejected');
    if (failed) throw (failed as PromiseRejectedResult).reason;
    this.count += entries.length;
  }

  async #read(since: number, limit: number) {
    const { database } = this.gallery;
    const archive = await findLastArchive(database);
    return archive && since < archive.last
      ? listArchivedSince(this.gallery, operator, since, limit, new Map())
      : listChangesSince(database, operator, since, limit);
  }

  async #findPosition(): Promise<Position> {
    const { stream } = this;
    const subject = `${this.options.prefix}.>`;
    this.#manager ??= await jetstreamManager(this.connection, { timeout: timeoutMs });
    const { streams } = this.#manager;
    const { config, state } = await streams.info(stream).catch((error) => {
      if (error instanceof JetStreamApiError && error.code === JetStreamApiCodes.StreamNotFound)
        return streams.add({ name: stream, subjects: [subject] });
      throw error;
    });
    if (config.subjects?.join() !== subject)
      throw new OperatorError(
        `The stream ${stream} must have the subject ${subject} and no other: choose another --nats-prefix.`,
      );
    if (state.last_seq === 0) return { number: 0, sequence: 0 };
    const message = await streams.getMessage(stream, { last_by_subj: subject });
    if (!message)
      throw new OperatorError(
        `The messages of the stream ${stream} were deleted, and nobody knows where to go on: delete the stream to publish all changes again.`,
      );
    const id = message.header.get(idHeader);
    const number = Number(id.slice(id.lastIndexOf('-') + 1));
    if (!(await this.#isKnown(number, message)))
      throw new OperatorError(
        `The stream ${stream} ends with a change ${number} that this gallery does not have, perhaps because it was restored from a backup: delete the stream to publish all changes again, or choose another --nats-prefix.`,
      );
    return { number, sequence: state.last_seq };
  }

  /** Whether the gallery has this change. */
  async #isKnown(number: number, message: StoredMsg): Promise<boolean> {
    if (!(number > 0) || number > (await findChangeHead(this.gallery.database)).last) return false;
    const [entry] = (await this.#read(number - 1, 1)).entries;
    const { at } = message.json<{ readonly at: string }>();
    return entry?.sequence === number && entry.at === parseInstant(at, 'UTC');
  }
}
