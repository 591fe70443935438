// Printed cards: a child signs in with the code of theirs, and a parent looks with another. There is one of each for an
// account that a class looks after; a new one replaces it.

import sql, { type Sql } from 'sql-template-tag';
import { type Database, first, type Transaction } from '#sql';
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

/** A session begins only while the card is the present one. */
interface CardOwner extends Contributor {
  readonly proof: Sql;
}

interface CardDependencies {
  readonly database: Database;
  readonly attempts: SignInAttempts;
}

/** The person whose card has the code, as it was typed. Throws TooManyRequests after too many wrong codes. */
export async function findByCard(
  { database, attempts }: CardDependencies,
  purpose: CardPurpose,
  typed: string,
  client: Client,
): Promise<CardOwner | undefined> {
  const code = parseCode(typed, cardLength);
  if (code === undefined) return undefined;
  const attempt = await attempts.beginCode(client.address);
  const hash = hashCard(purpose, code);
  const person = await first(database, contributorColumns)`from contributor
    where id = (select card.contributor from account_card as card
      join account on account.contributor = card.contributor
      where card.hash = ${hash} and account.looked_after_by is not null
        and (account.disabled is null or card.purpose = 'guardian'))`;
  if (person) await attempts.cancel(attempt);
  return person && { ...person, proof: sql`from account_card where hash = ${hash}` };
}
