import sql from 'sql-template-tag';
import type { Database, Reader } from '../database/open.ts';

/** A secret of this gallery, made when it is first asked for; all processes on the database share it. */
export async function getOrCreateSecret(database: Database, name: string): Promise<string> {
  return (await findSecret(database, name)) ?? createSecret(database, name);
}

async function findSecret(reader: Reader, name: string): Promise<string | undefined> {
  // Not as `value`: a column of that name elsewhere holds integers, and PostgreSQL's would be read as one.
  const row = await reader.first<{ secret: string }>(
    sql`select value as secret from secret where name = ${name}`,
  );
  return row?.secret;
}

function createSecret(database: Database, name: string): Promise<string> {
  return database.transaction(async (transaction) => {
    const secret = crypto.getRandomValues(new Uint8Array(32)).toHex();
    await transaction.run(
      sql`insert into secret (name, value) values (${name}, ${secret}) on conflict (name) do nothing`,
    );
    return (await findSecret(transaction, name)) ?? secret;
  });
}
