// Printed cards: a child signs in with the code of theirs, and a parent looks with another. There is one of each for an
// account that a class looks after; a new one replaces it.

import sql, { type Sql } from 'sql-template-tag';
import { type Database, first, type Reader, type Transaction } from '#sql';
import { hashSecret } from '../../core/accounts/secret.ts';
import type { Client, SignInAttempts } from '../../core/accounts/sign-in-attempts.ts';
import { type Contributor, contributorColumns } from '../../core/contributors/contributor.ts';
import type { Instant } from '../../core/instant.ts';
import { newCode, parseCode } from '../sign-in/invitation.ts';
import { accountCardTable } from './tables.ts';

/** Cards do not end: their codes are longer than those of invitations. */
const cardLength = 10;

export const cardPurposes = ['sign_in', 'guardian'] as const;
type CardPurpose = (typeof cardPurposes)[number];

export interface Card {
  readonly username: string;
  readonly code: string;
  readonly guardianCode: string;
}

const hashCard = (purpose: CardPurpose, code: string): string => hashSecret(`${purpose} card ${code}`);

/** Both cards of an account. The earlier ones end. */
export async function createCards(
  transaction: Transaction,
  { id, username }: Pick<Contributor, 'id' | 'username'>,
  created: Instant,
): Promise<Card> {
  const [code, guardianCode] = [newCode(cardLength), newCode(cardLength)];
  await transaction.upsert(accountCardTable, [
    { contributor: id, purpose: 'sign_in', hash: hashCard('sign_in', code), created },
    { contributor: id, purpose: 'guardian', hash: hashCard('guardian', guardianCode), created },
  ]);
  return { username, code, guardianCode };
}

interface FoundCard {
  readonly purpose: CardPurpose;
  readonly hash: string;
  /** A session begins only while the card is the present one. */
  readonly owner: Contributor & { readonly proof: Sql };
}

interface CardDependencies {
  readonly database: Database;
  readonly attempts: SignInAttempts;
}

/** The card with the code, as it was typed. Throws TooManyRequests after too many wrong codes. */
export async function findCard(
  { database, attempts }: CardDependencies,
  typed: string,
  client: Client,
): Promise<FoundCard | undefined> {
  const code = parseCode(typed, cardLength);
  if (code === undefined) return undefined;
  const attempt = await attempts.beginCode(client.address);
  for (const purpose of cardPurposes) {
    const hash = hashCard(purpose, code);
    const person = await findOwner(database, hash);
    if (!person) continue;
    await attempts.cancel(attempt);
    return { purpose, hash, owner: { ...person, proof: sql`from account_card where hash = ${hash}` } };
  }
  return undefined;
}

/** Whose card it is, as long as nobody has made a new one. Parents look also while the account is disabled. */
export const findOwner = (reader: Reader, hash: string): Promise<Contributor | undefined> =>
  first(reader, contributorColumns)`from contributor
    where id = (select card.contributor from account_card as card
      join account on account.contributor = card.contributor
      where card.hash = ${hash} and account.looked_after_by is not null
        and (account.disabled is null or card.purpose = 'guardian'))`;
