import type { Migration } from '../migrate.ts';

/** On PostgreSQL, writers wait for each other no more: see postgres-change-queue.ts. */
export const changeQueue: Migration = {
  name: 'change queue',
  statements: ({ changeQueue = [] }) => [...changeQueue],
};
