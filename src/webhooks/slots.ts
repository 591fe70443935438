// How many requests are sent at a time to endpoints that behave alike, and among these to one host and for one owner. So
// those that answer quickly never wait for the others, nor for new ones, of which somebody may create many.

const places = { quick: 120, new: 40, slow: 40 } as const;
const maxForEach = 4;

export interface Sender {
  readonly host: string;
  readonly owner: number;
  /** `quick` if its last answer was a success, and came soon. */
  readonly lane: keyof typeof places;
}

export class Slots {
  #counts = new Map<string, number>();

  /** Returns what gives the place back; undefined if there is none. */
  take({ host, owner, lane }: Sender): (() => void) | undefined {
    const keys: [key: string, max: number][] = [
      [lane, places[lane]],
      [`${lane} ${host}`, maxForEach],
      [`${lane} ${owner}`, maxForEach],
    ];
    if (keys.some(([key, max]) => this.#count(key) >= max)) return undefined;
    for (const [key] of keys) this.#add(key, 1);
    return () => {
      for (const [key] of keys) this.#add(key, -1);
    };
  }

  #count(key: string): number {
    return this.#counts.get(key) ?? 0;
  }

  #add(key: string, difference: number): void {
    const count = this.#count(key) + difference;
    if (count > 0) this.#counts.set(key, count);
    else this.#counts.delete(key);
  }
}
