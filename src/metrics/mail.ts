// The metrics of the mails that this process sends, and of those that wait.

import type { Database } from '../database/database.ts';
import { loadQueueState } from '../gallery/mail/queue.ts';
import type { Mailer } from '../mail/mailer.ts';
import { type Metric, readWithinTimeLimit } from './metric.ts';

export const listMailMetrics = (database: Database, { counts }: Mailer): Metric[] => [
  {
    name: 'vitrine_mails_total',
    help: 'Mails that were sent, tries that failed, and mails that were given up.',
    isCounter: true,
    labelNames: ['result'],
    read(set) {
      for (const [result, count] of Object.entries(counts)) set(count, { result });
    },
  },
  {
    name: 'vitrine_mails_waiting',
    help: 'Mails that are to be sent.',
    async read(set) {
      const state = await readWithinTimeLimit(() => loadQueueState(database));
      if (state) set(state.count);
    },
  },
  {
    name: 'vitrine_mails_oldest_timestamp_seconds',
    help: 'When the oldest of them was queued.',
    async read(set) {
      const state = await readWithinTimeLimit(() => loadQueueState(database));
      if (state?.oldest) set(state.oldest / 1_000_000);
    },
  },
];
