// Delivers events as long as somebody has a webhook.

import { Outage } from '#common/outage.ts';
import { SharedCall } from '#common/shared-call.ts';
import type { CreateWork, Metric, Work } from '../../projects/background-work.ts';
import { serializeChange } from '../change-feed/api.ts';
import { beginDelivery, type Delivery, isDeliveryDue } from './delivery.ts';
import type { WebhookDependencies } from './dependencies.ts';

const intervalMs = 1000;

export const createWebhooks: CreateWork = ({ addressRules: rules, timeZone, ...deps }) =>
  new Webhooks({
    ...deps,
    rules,
    serialize: (entry, origin) => serializeChange(entry, origin, timeZone),
  });

class Webhooks implements Work {
  delivered = 0;
  failed = 0;
  #delivery: Delivery | undefined;
  readonly #outage = new Outage((error) => this.deps.logError(error));
  #isStopped = false;
  readonly #beginning = new SharedCall(() => this.#begin());

  readonly metrics: readonly Metric[] = [
    {
      name: 'vitrine_webhook_attempts_total',
      help: 'Requests to webhooks.',
      isCounter: true,
      labelNames: ['result'],
      read: (set) => {
        set(this.delivered, { result: 'success' });
        set(this.failed, { result: 'failure' });
      },
    },
    {
      name: 'vitrine_webhooks_failing',
      help: 'Webhooks whose next event has failed and is tried again.',
      read: (set) => set(this.#delivery?.failing ?? 0),
    },
  ];

  constructor(private readonly deps: WebhookDependencies) {}

  /** Returns what ends it. */
  start(): () => Promise<void> {
    this.#isStopped = false;
    const timer = setInterval(() => void this.#beginning.run(), intervalMs);
    void this.#beginning.run();
    return async () => {
      clearInterval(timer);
      this.#isStopped = true;
      await this.#beginning.run();
      const delivery = this.#delivery;
      this.#delivery = undefined;
      await delivery?.stop();
    };
  }

  async #begin(): Promise<void> {
    if (this.#delivery || this.#isStopped) return;
    try {
      if (!(await isDeliveryDue(this.deps.database))) return;
      this.#delivery = await beginDelivery(
        this.deps,
        (isSuccess) => {
          if (isSuccess) this.delivered++;
          else this.failed++;
        },
        () => {
          this.#delivery = undefined;
        },
      );
      this.#outage.end();
    } catch (error) {
      this.#outage.begin(error);
    }
  }
}
