/** Runs a limited number of tasks at a time; the others wait in order. */
export class Semaphore {
  #waiting: (() => void)[] = [];

  constructor(private available: number) {}

  get waitingCount(): number {
    return this.#waiting.length;
  }

  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    if (this.available > 0) this.available--;
    else await new Promise<void>((resolve) => this.#waiting.push(resolve));
    try {
      return await work();
    } finally {
      const next = this.#waiting.shift();
      if (next) next();
      else this.available++;
    }
  }
}
