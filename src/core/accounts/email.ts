import { first, type Reader, type Row } from '#sql';
import { emailTable } from './tables.ts';

export type Email = Row<typeof emailTable>;

export const maxEmailLength = 254;

export const findEmail = (reader: Reader, contributor: number): Promise<Email | undefined> =>
  first(reader, emailTable.columns)`from email where contributor = ${contributor}`;
