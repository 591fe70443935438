import sql from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import type { Viewer } from '../viewer.ts';

export async function ownRating(reads: Reads, viewer: Viewer, project: number): Promise<number | undefined> {
  const rating = await reads.first<{ value: number }>(
    sql`select value from rating where project = ${project} and contributor = ${viewer.contributor}`,
  );
  return rating?.value;
}
