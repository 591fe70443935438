/** When the handle of a transaction may be used, and what follows its commit. */
export class TransactionLifetime {
  #hasEnded = false;
  readonly #callbacks: (() => unknown)[] = [];

  requireOpen(): void {
    if (this.#hasEnded)
      throw new Error('This transaction has ended: what is written now would not be part of it.');
  }

  onCommit(callback: () => unknown): void {
    this.requireOpen();
    this.#callbacks.push(callback);
  }

  /** Runs the work of a transaction, the only time when its handle may be used. */
  async run<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } finally {
      this.#hasEnded = true;
    }
  }

  /** Does not wait for what a callback starts. The write is done, so that an error is only reported. */
  runCallbacks(reportError: (error: unknown) => void): void {
    for (const callback of this.#callbacks) Promise.try(callback).catch(reportError);
  }
}
