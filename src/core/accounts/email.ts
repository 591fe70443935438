import type { Row } from '#sql/columns.ts';
import type { Reader } from '#sql/database.ts';
import { first } from '#sql/query.ts';
import { emailTable } from './tables.ts';

export type Email = Row<typeof emailTable>;

export const maxEmailLength = 254;

export const findEmail = (reader: Reader, contributor: number): Promise<Email | undefined> =>
  first(reader, emailTable.columns)`from email where contributor = ${contributor}`;
