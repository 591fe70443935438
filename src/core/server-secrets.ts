import { type Database, first, type Reader } from '#sql';
import { secretTable } from './server-tables.ts';

/** A secret of this gallery, created on first use and shared by all processes on the database. */
export const getOrCreateSecret = async (database: Database, name: string): Promise<string> =>
  (await findSecret(database, name)) ?? createSecret(database, name);

/** No other gallery has it; it is no secret. */
export const readIdentity = async (database: Database): Promise<string> =>
  (await getOrCreateSecret(database, 'identity')).slice(0, 16);

const findSecret = async (reader: Reader, name: string): Promise<string | undefined> =>
  (await first(reader, secretTable.columns)`from secret where name = ${name}`)?.value;

function createSecret(database: Database, name: string): Promise<string> {
  return database.transaction(async (transaction) => {
    const secret = crypto.getRandomValues(new Uint8Array(32)).toHex();
    await transaction.insertMissing(secretTable, [{ name, value: secret }]);
    return (await findSecret(transaction, name)) ?? secret;
  });
}
