/** A failure that lasts while something is tried again: it is reported once, and so is its end. */
export class Outage {
  #isOn = false;

  constructor(
    private readonly report: (error: unknown) => void,
    private readonly reportEnd?: () => void,
  ) {}

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(error: unknown): void {
    if (!this.#isOn) this.report(error);
    this.#isOn = true;
  }

  end(): void {
    if (this.#isOn) this.reportEnd?.();
    this.#isOn = false;
  }
}
