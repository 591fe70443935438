import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, wholeNumber } from '../line-members.ts';
import { ratingRange } from './rating.ts';

export const ratingLine = defineLine('rating', {
  project: id,
  contributor: id,
  value: wholeNumber(ratingRange.min, ratingRange.max),
  created: instant,
  modified: instant,
});

export type RatingLine = LineOf<typeof ratingLine>;
