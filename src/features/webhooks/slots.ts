// How many requests are sent at a time to webhooks that behave alike, and among these to one host and for one owner. So
// those that answer quickly never wait for the others, nor for new ones, of which somebody may create many.

/** Bun makes 256 requests at a time, and has others to make. `extra` is for quick ones that get several events at a time. */
const lanes = {
  quick: { places: 100, forEach: 4 },
  new: { places: 32, forEach: 4 },
  slow: { places: 32, forEach: 4 },
  extra: { places: 80, forEach: 60 },
} as const;

type Lane = Exclude<keyof typeof lanes, 'extra'>;

export interface Sender {
  readonly host: string;
  readonly owner: number;
  /** `quick` if its last answer was a success, and came soon. */
  readonly lane: Lane;
  /** How many requests it may have under way. */
  readonly concurrency: number;
}

/** Without texts that are joined: thousands may wait, and each is asked for often. */
class LaneSlots {
  #running = 0;
  readonly #hosts = new Map<string, number>();
  readonly #owners = new Map<number, number>();

  constructor(private readonly limits: { readonly places: number; readonly forEach: number }) {}

  hasRoom({ host, owner }: Sender): boolean {
    const [ofHost, ofOwner] = [this.#hosts.get(host) ?? 0, this.#owners.get(owner) ?? 0];
    const { places, forEach } = this.limits;
    return this.#running < places && ofHost < forEach && ofOwner < forEach;
  }

  count(host: string, owner: number, difference: number): void {
    this.#running += difference;
    add(this.#hosts, host, difference);
    add(this.#owners, owner, difference);
  }
}

function add<Key>(counts: Map<Key, number>, key: Key, difference: number): void {
  const count = (counts.get(key) ?? 0) + difference;
  if (count > 0) counts.set(key, count);
  else counts.delete(key);
}

export class Slots {
  readonly #lanes = {
    quick: new LaneSlots(lanes.quick),
    new: new LaneSlots(lanes.new),
    slow: new LaneSlots(lanes.slow),
    extra: new LaneSlots(lanes.extra),
  };

  /** Returns what gives the place back; undefined if there is none. */
  take(sender: Sender): (() => void) | undefined {
    const { host, owner, lane, concurrency } = sender;
    const choices = lane === 'quick' && concurrency > 1 ? ([lane, 'extra'] as const) : [lane];
    const slots = choices.map((name) => this.#lanes[name]).find((choice) => choice.hasRoom(sender));
    if (!slots) return undefined;
    slots.count(host, owner, 1);
    return () => slots.count(host, owner, -1);
  }
}
