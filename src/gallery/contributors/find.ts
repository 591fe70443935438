import sql from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import { NotFound } from '../../errors.ts';
import type { Contributor } from './contributor.ts';

export async function findContributor(reads: Reads, id: number): Promise<Contributor> {
  const found = await reads.first<Contributor>(
    sql`select id, username, first_name, last_name, created from contributor where id = ${id}`,
  );
  if (!found) throw new NotFound();
  return found;
}
