import sql from 'sql-template-tag';
import type { Database, Reads } from '../database/open.ts';

/** A secret of this gallery, made when it is first asked for; all processes on the database share it. */
export async function secretOf(database: Database, name: string): Promise<string> {
  return (await kept(database, name)) ?? make(database, name);
}

async function kept(reads: Reads, name: string): Promise<string | undefined> {
  // Not as `value`: a column of that name elsewhere holds integers, and PostgreSQL's would be read as one.
  const row = await reads.first<{ secret: string }>(
    sql`select value as secret from secret where name = ${name}`,
  );
  return row?.secret;
}

function make(database: Database, name: string): Promise<string> {
  return database.change(async (transaction) => {
    const made = crypto.getRandomValues(new Uint8Array(32)).toHex();
    await transaction.run(
      sql`insert into secret (name, value) values (${name}, ${made}) on conflict (name) do nothing`,
    );
    return (await kept(transaction, name)) ?? made;
  });
}
