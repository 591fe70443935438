import { lookOfUsernameSql } from '../look-alikes.ts';
import type { Migration } from '../migrate.ts';

/** Finds the username that a new one could be taken for. */
export const lookAlikes: Migration = {
  name: 'look-alikes',
  statements: () => [`create index contributor_by_look on contributor ((${lookOfUsernameSql}))`],
};
