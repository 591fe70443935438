// The orders of projects.

import { type Order, reverseOrder, type Sorting } from '../core/listing/order.ts';

const projectColumns = {
  created: 'created',
  title: 'title_key',
  karma: 'karma',
  rating_sum: 'rating_sum',
  id: 'id',
  contributor__last_name: 'last_name_key',
  modified: 'modified',
} as const;

type ProjectColumn = (typeof projectColumns)[keyof typeof projectColumns];

export const projectSorting: Sorting<ProjectColumn> = { columns: projectColumns, key: 'id' };

/** `tier` is the column of a ranked search, `place` that of a project in a collection. */
export type ProjectOrder = Order<ProjectColumn | 'tier' | 'place'>;

/** The order of the index that begins with the same column, if it is another one: ties are in the order of their ids. */
export function indexOrderOf([first, ...others]: ProjectOrder): ProjectOrder | undefined {
  if (!first || (others.length <= 1 && others.every(({ descending }) => descending === first.descending)))
    return undefined;
  return [first, { column: 'id', descending: first.descending }];
}

export const newestFirst: ProjectOrder = [
  { column: 'created', descending: true },
  { column: 'id', descending: true },
];

export const oldestFirst: ProjectOrder = reverseOrder(newestFirst);

/** The order of a collection. */
export const byPlace: ProjectOrder = [
  { column: 'place', descending: false },
  { column: 'id', descending: false },
];

/** The order of search results, unless another one is requested. */
export const bestFirst: ProjectOrder = [{ column: 'tier', descending: false }, ...newestFirst];
