/** A failure that lasts while something is tried again: it is told once, and so is its end. */
export class Outage {
  #isOn = false;

  constructor(
    private readonly tell: (error: unknown) => void,
    private readonly tellEnd?: () => void,
  ) {}

  get isOn(): boolean {
    return this.#isOn;
  }

  begin(error: unknown): void {
    if (!this.#isOn) this.tell(error);
    this.#isOn = true;
  }

  end(): void {
    if (this.#isOn) this.tellEnd?.();
    this.#isOn = false;
  }
}
