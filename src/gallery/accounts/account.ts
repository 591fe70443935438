// An account: what lets a contributor sign in. A contributor whom an import brought may have none.

import sql, { join } from 'sql-template-tag';
import type { Reads } from '../../database/open.ts';
import { type Contributor, usernameKey } from '../contributors/contributor.ts';
import type { Instant } from '../instant.ts';
import type { Role } from '../viewer.ts';

export interface Account extends Contributor {
  readonly role: Role;
  /** Its hash; null for somebody who only has keys. */
  readonly password: string | null;
  readonly disabled: Instant | null;
}

/** Somebody of that name, who may have no account: what concerns it is null then. */
export type Person = Contributor & { [Name in keyof Omit<Account, keyof Contributor>]: Account[Name] | null };

const columns = sql`id, username, first_name, last_name, created,
  (select role from account where contributor = contributor.id) as role,
  (select password from account where contributor = contributor.id) as password,
  (select disabled from account where contributor = contributor.id) as disabled`;

/** The one who is called exactly that, else the only one who is called that but for case. */
export async function personNamed(reads: Reads, username: string): Promise<Person | undefined> {
  const exactly = await reads.first<Person>(
    sql`select ${columns} from contributor where username = ${username}`,
  );
  if (exactly) return exactly;
  const [found, ...more] = await reads.all<Person>(
    sql`select ${columns} from contributor where username_key = ${usernameKey(username)} limit 2`,
  );
  return more.length ? undefined : found;
}

export async function peopleOf(reads: Reads, contributors: readonly number[]): Promise<Map<number, Person>> {
  if (contributors.length === 0) return new Map();
  const rows = await reads.all<Person>(
    sql`select ${columns} from contributor where id in (${join([...new Set(contributors)])})`,
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export function personOf(reads: Reads, contributor: number): Promise<Person | undefined> {
  return reads.first<Person>(sql`select ${columns} from contributor where id = ${contributor}`);
}
