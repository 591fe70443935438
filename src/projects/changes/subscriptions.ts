// Gives each subscriber the changes that they may see, in order and without gaps. Those who are up to date get each new
// range at once; those who begin earlier, or had no room, read pages of the log until they have caught up. A number says
// for each subscriber how far they have come, so that nothing depends on the moment at which they change sides.

import { Failure, Gone } from '#common/errors.ts';
import { inSlices } from '#common/event-loop.ts';
import { RequestLifetime, runOutsideRequests } from '#common/request-lifetime.ts';
import { QueuePerPerson, RequestQueue } from '#common/request-queue.ts';
import { SharedCall } from '#common/shared-call.ts';
import { timeLimits } from '#common/time-limits.ts';
import type { Database } from '#sql';
import type { ChangeFollower, ChangeListener, ChangeRange } from '../../core/changes/follower.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { AppliedFilters } from '../reading/tagged-projects.ts';
import { type FeedEntry, listChangesSince } from './change-feed.ts';
import { VisibleRange } from './visible-range.ts';

export interface Subscriber {
  /** When it has room again after it had none, it calls `resume`. */
  readonly hasRoom: boolean;
  deliver(entries: readonly FeedEntry[]): void;
  /** Nothing more comes: the viewer is signed out or may see other things, or the log was replaced. */
  end(): void;
}

export interface SubscriptionRequest {
  readonly viewer: Viewer;
  /** A person, or an address without an account: their pages are read one after another. */
  readonly owner: string;
  readonly filters: AppliedFilters;
  /** The number of the last change that they know. */
  readonly since: number;
}

export interface ViewerCheck {
  /** Of these viewers, those whose key or session has ended or allows something else now. */
  findChanged(viewers: readonly Viewer[]): Promise<readonly Viewer[]>;
}

type FeedPart = Pick<Awaited<ReturnType<typeof listChangesSince>>, 'entries' | 'reached'>;

/** Subscribers who see the same. */
interface Audience {
  readonly key: string;
  readonly viewer: Viewer;
  readonly filters: AppliedFilters;
  readonly members: Set<Subscription>;
  /** The pages that are being read, by the number before them: members at the same place share one. */
  readonly pages: Map<number, Promise<FeedPart>>;
}

const pageSize = 200;
/** So many pages are read at a time; a page has the time of a request. */
const maxReads = 2;
const retryMs = 1000;
/** How often the viewers are checked. */
const checkIntervalMs = 700;

export class Subscription {
  isReading = false;
  isOver = false;

  constructor(
    private readonly subscriptions: ChangeSubscriptions,
    readonly audience: Audience,
    readonly viewer: Viewer,
    readonly owner: string,
    readonly subscriber: Subscriber,
    /** Everything up to this number was delivered. */
    public position: number,
  ) {}

  resume(): void {
    this.subscriptions.catchUp(this);
  }

  close(): void {
    if (!this.isOver) this.subscriptions.remove(this);
  }
}

export class ChangeSubscriptions implements ChangeListener {
  readonly #audiences = new Map<string, Audience>();
  readonly #reads = new RequestQueue({ maxRunning: maxReads, maxWaiting: Number.POSITIVE_INFINITY });
  /** Somebody with many streams waits for themselves, not before the others. */
  readonly #ownReads = new QueuePerPerson<string>({ maxRunning: 1, maxWaiting: Number.POSITIVE_INFINITY });
  readonly #checking = new SharedCall(() => this.#endChanged(this.#members()).catch(this.#logBug));
  #unfollow: (() => void) | undefined;
  #timer: Timer | undefined;

  constructor(
    private readonly database: Database,
    private readonly follower: ChangeFollower,
    private readonly viewers: ViewerCheck,
    private readonly logError: (error: unknown) => void,
  ) {}

  subscribe({ viewer, owner, filters, since }: SubscriptionRequest, subscriber: Subscriber): Subscription {
    const audience = this.#findAudience(viewer, filters);
    const subscription = new Subscription(this, audience, viewer, owner, subscriber, since);
    audience.members.add(subscription);
    runOutsideRequests(() => {
      this.#unfollow ??= this.follower.follow(this);
      this.#timer ??= setInterval(() => void this.#checking.run(), checkIntervalMs).unref();
      this.catchUp(subscription);
    });
    return subscription;
  }

  remove(subscription: Subscription): void {
    const { audience } = subscription;
    subscription.isOver = true;
    audience.members.delete(subscription);
    if (audience.members.size === 0) this.#audiences.delete(audience.key);
    if (this.#audiences.size > 0) return;
    this.#unfollow?.();
    this.#unfollow = undefined;
    clearInterval(this.#timer);
    this.#timer = undefined;
  }

  #findAudience(viewer: Viewer, filters: AppliedFilters): Audience {
    const person = viewer.isModerator ? 'moderators' : (viewer.contributor ?? 'visitors');
    const key = JSON.stringify([person, [...filters].map(([name, { text }]) => [name, text]).sort()]);
    const known = this.#audiences.get(key);
    if (known) return known;
    const audience = { key, viewer, filters, members: new Set<Subscription>(), pages: new Map() };
    this.#audiences.set(key, audience);
    return audience;
  }

  async onRange(range: ChangeRange): Promise<void> {
    const visible = new VisibleRange(this.database, range.changes);
    const found = new Map<Audience, readonly FeedEntry[]>();
    await inSlices(this.#audiences.values(), async (audience) => {
      const entries = await visible.entriesFor(audience.viewer, audience.filters).catch(this.#logBug);
      if (entries) found.set(audience, entries);
    });
    const receivers = [...found].flatMap(([{ members }, { length }]) => (length > 0 ? [...members] : []));
    const isChecked = await this.#endChanged(receivers).then(() => true, this.#logBug);
    await inSlices(this.#members(), (member) => {
      const entries = isChecked && found.get(member.audience);
      if (!entries || member.position !== range.after || member.isReading || !member.subscriber.hasRoom) {
        if (member.position < range.last) this.catchUp(member);
        return;
      }
      member.position = range.last;
      if (entries.length > 0) member.subscriber.deliver(entries);
    });
  }

  onReset(): void {
    for (const member of this.#members()) endSubscription(member);
  }

  /** Reads pages until the subscriber has everything, or has no room. */
  catchUp(member: Subscription): void {
    if (!member.isReading && this.#isBehind(member)) runOutsideRequests(() => void this.#readPages(member));
  }

  #isBehind({ isOver, position, subscriber }: Subscription): boolean {
    const { last } = this.follower;
    return !isOver && last !== undefined && position < last && subscriber.hasRoom;
  }

  async #readPages(member: Subscription): Promise<void> {
    member.isReading = true;
    try {
      while (this.#isBehind(member)) {
        const page = await this.#readPage(member);
        // No further than everybody is: whoever is ahead would not notice that the log was replaced.
        const reached = Math.min(page.reached, this.follower.last ?? member.position);
        const entries = page.entries.filter(({ sequence }) => sequence <= reached);
        if (entries.length > 0) await this.#endChanged([member]);
        if (member.isOver) return;
        // Nothing is there to read: the next range brings the subscriber here again.
        if (reached <= member.position) break;
        member.position = reached;
        if (entries.length > 0) member.subscriber.deliver(entries);
      }
    } catch (error) {
      if (error instanceof Gone) endSubscription(member);
      else {
        this.#logBug(error);
        setTimeout(() => this.catchUp(member), retryMs).unref();
      }
    } finally {
      member.isReading = false;
    }
  }

  #readPage({ audience, owner, position }: Subscription): Promise<FeedPart> {
    const { pages, viewer, filters } = audience;
    const running = pages.get(position);
    if (running) return running;
    const read = () => listChangesSince(this.database, viewer, position, pageSize, filters);
    // A replica that has everything that was acknowledged serves as well.
    const withTime = () =>
      new RequestLifetime(timeLimits.request, { replicas: 'current' }).withinTimeLimit(read);
    const inTurn = this.#ownReads.run(owner, () => this.#reads.run(withTime));
    const page = inTurn.finally(() => pages.delete(position));
    pages.set(position, page);
    return page;
  }

  /** That the database is not available is in the log once already, by the follower. */
  readonly #logBug = (error: unknown): undefined => {
    if (!(error instanceof Failure)) this.logError(error);
  };

  #members(): Subscription[] {
    return [...this.#audiences.values()].flatMap(({ members }) => [...members]);
  }

  /** Before each delivery as well: nobody gets a change that was made after their key, session or role had ended. */
  async #endChanged(members: readonly Subscription[]): Promise<void> {
    const signedIn = members.filter(({ viewer }) => viewer.credential !== undefined);
    if (signedIn.length === 0) return;
    const changed = new Set(await this.viewers.findChanged(signedIn.map(({ viewer }) => viewer)));
    for (const member of signedIn) if (changed.has(member.viewer)) endSubscription(member);
  }
}

function endSubscription(member: Subscription): void {
  if (member.isOver) return;
  member.close();
  member.subscriber.end();
}
