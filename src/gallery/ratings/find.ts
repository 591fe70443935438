import sql from 'sql-template-tag';
import type { Reader } from '../../database/open.ts';
import type { Viewer } from '../viewer.ts';

export async function findOwnRating(
  reader: Reader,
  viewer: Viewer,
  project: number,
): Promise<number | undefined> {
  const rating = await reader.first<{ value: number }>(
    sql`select value from rating where project = ${project} and contributor = ${viewer.contributor}`,
  );
  return rating?.value;
}
