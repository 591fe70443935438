// How many requests are sent at a time: in all, to one host, and for one owner. Those to endpoints that do not answer
// quickly share a part of the places, so that the others never wait for them.

const maxQuick = 150;
const maxSlow = 50;
const maxForEach = 4;

export interface Sender {
  readonly host: string;
  readonly owner: number;
  /** Its last answer was a success, and came soon. */
  readonly isQuick: boolean;
}

export class Slots {
  #counts = new Map<string, number>();

  /** Returns what gives the place back; undefined if there is none. */
  take({ host, owner, isQuick }: Sender): (() => void) | undefined {
    const keys: [key: string, max: number][] = [
      isQuick ? ['quick', maxQuick] : ['slow', maxSlow],
      [`host ${host}`, maxForEach],
      [`owner ${owner}`, maxForEach],
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
