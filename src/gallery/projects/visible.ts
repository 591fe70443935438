// Who sees which projects, as conditions that every look-up starts from. The visitors' conditions are literal
// text: the planners of both databases take a partial index only if they can see that it fits.

import sql, { type Sql } from 'sql-template-tag';
import type { Reader } from '../readers.ts';

/** What anybody may open: published and archived. */
export const visitorsStatuses: readonly number[] = [1, 2];

/** What this reader may open, knowing the address. */
export function readableBy(reader: Reader): Sql {
  if (reader.moderates) return sql`1 = 1`;
  const anyone = sql`visibility in ('public', 'unlisted') and status in (1, 2)`;
  return reader.contributor === null ? anyone : sql`(${anyone} or contributor = ${reader.contributor})`;
}

export interface Ask {
  /** A certain status was asked for, so that the listing need not keep to what is published. */
  status: boolean;
  /** The readers' own items were asked for. */
  own: boolean;
}

/** What stands in listings and is counted for this reader. */
export function listedFor(reader: Reader, ask: Ask): Sql {
  if (ask.own) return readableBy(reader);
  if (reader.moderates && ask.status) return sql`1 = 1`;
  return ask.status
    ? sql`visibility = 'public' and status in (1, 2)`
    : sql`visibility = 'public' and status = 1`;
}
