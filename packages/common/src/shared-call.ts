/** Calls that come while one runs share the next one: its result is from after all of them came. */
export class SharedCall<Result> {
  #running: Promise<unknown> = Promise.resolve();
  #next: Promise<Result> | undefined;

  constructor(private readonly call: () => Promise<Result>) {}

  run(): Promise<Result> {
    this.#next ??= this.#running.then(() => {
      this.#next = undefined;
      const result = this.call();
      this.#running = result.catch(() => {});
      return result;
    });
    return this.#next;
  }
}
