import type { Migration } from '../migrate.ts';

/** The size of each stored response, to bound how much is stored for a contributor: see gallery/changes/idempotency.ts. */
export const idempotencyBounds: Migration = {
  name: 'idempotency bounds',
  statements: ({ integer }) => [
    `alter table idempotency add column bytes ${integer} not null default 0`,
    'update idempotency set bytes = length(response)',
    'create index idempotency_by_age on idempotency (contributor, created, key, bytes)',
    'create index idempotency_by_created on idempotency (created)',
  ],
};
