import sql from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import type { Reader } from '../readers.ts';

export async function ownRating(reads: Reads, reader: Reader, project: number): Promise<number | undefined> {
  const rating = await reads.first<{ value: number }>(
    sql`select value from rating where project = ${project} and contributor = ${reader.contributor}`,
  );
  return rating?.value;
}
