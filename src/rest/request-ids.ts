/** Short ids that are unique across requests and processes, and cheap to make. */
export class RequestIds {
  readonly #process = crypto.randomUUID().slice(0, 8);
  #count = 0;

  next(): string {
    return `${this.#process}-${++this.#count}`;
  }
}
