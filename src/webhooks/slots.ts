// How many requests are sent at a time to webhooks that behave alike, and among these to one host and for one owner. So
// those that answer quickly never wait for the others, nor for new ones, of which somebody may create many.

const places = { quick: 120, new: 40, slow: 40 } as const;
const maxForEach = 4;

type Lane = keyof typeof places;

export interface Sender {
  readonly host: string;
  readonly owner: number;
  /** `quick` if its last answer was a success, and came soon. */
  readonly lane: Lane;
}

/** Without texts that are joined: thousands may wait, and each is asked for often. */
class LaneSlots {
  #running = 0;
  readonly #hosts = new Map<string, number>();
  readonly #owners = new Map<number, number>();

  constructor(private readonly max: number) {}

  hasRoom({ host, owner }: Sender): boolean {
    const [ofHost, ofOwner] = [this.#hosts.get(host) ?? 0, this.#owners.get(owner) ?? 0];
    return this.#running < this.max && ofHost < maxForEach && ofOwner < maxForEach;
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
  readonly #lanes: Readonly<Record<Lane, LaneSlots>> = {
    quick: new LaneSlots(places.quick),
    new: new LaneSlots(places.new),
    slow: new LaneSlots(places.slow),
  };

  /** Returns what gives the place back; undefined if there is none. */
  take(sender: Sender): (() => void) | undefined {
    const { host, owner, lane } = sender;
    const slots = this.#lanes[lane];
    if (!slots.hasRoom(sender)) return undefined;
    slots.count(host, owner, 1);
    return () => slots.count(host, owner, -1);
  }
}
