import sql from 'sql-template-tag';
import type { Database } from '../database/open.ts';

/** A secret of this gallery, made when it is first asked for; all processes on the database share it. */
export function secretOf(database: Database, name: string): Promise<string> {
  return database.change(async (transaction) => {
    const made = crypto.getRandomValues(new Uint8Array(32)).toHex();
    await transaction.run(
      sql`insert into secret (name, value) values (${name}, ${made}) on conflict (name) do nothing`,
    );
    const kept = await transaction.first<{ value: string }>(
      sql`select value from secret where name = ${name}`,
    );
    if (!kept) throw new Error('a secret that was kept is not there');
    return kept.value;
  });
}
