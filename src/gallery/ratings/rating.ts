import type { Reader } from '../../database/database.ts';
import { first } from '../../database/query.ts';
import { ratingTable } from '../../database/schema.ts';
import type { Viewer } from '../viewer.ts';

export const ratingRange = { min: 1, max: 5 } as const;

export async function findOwnRating(
  reader: Reader,
  viewer: Viewer,
  project: number,
): Promise<number | undefined> {
  const rating = await first(reader, ratingTable.columns)`from rating
    where project = ${project} and contributor = ${viewer.contributor}`;
  return rating?.value;
}
