// One queue for each person, before a queue that all share: nobody waits for all tasks of somebody else.

import { type QueueLimits, RequestQueue } from './request-queue.ts';

export class QueuePerPerson<Person> {
  #queues = new Map<Person, RequestQueue>();

  constructor(private readonly limits: QueueLimits) {}

  async run<Result>(person: Person, work: () => Promise<Result>): Promise<Result> {
    const queue = this.#queues.get(person) ?? new RequestQueue(this.limits);
    this.#queues.set(person, queue);
    try {
      return await queue.run(work);
    } finally {
      if (queue.isIdle) this.#queues.delete(person);
    }
  }
}
