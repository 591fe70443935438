// Invitations to sign up: each lets one person in, also where sign-up is closed. A link has a long secret, a printed card a short code,
// which people type. docs/decisions/0087-printed-invitations.md says how hard a code is to guess.

import { randomInt } from 'node:crypto';
import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { NotFound } from '#common/errors.ts';
import {
  type Database,
  execute,
  executeAlone,
  executeReturning,
  exists,
  nullable,
  omit,
  type Reader,
  type RowOf,
  type Transaction,
} from '#sql';
import { hashSecret, newSecret } from '../../core/accounts/secret.ts';
import type { Client, SignInAttempts } from '../../core/accounts/sign-in-attempts.ts';
import { invitationTable } from '../../core/accounts/tables.ts';
import { transact } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { columnOfContributor } from '../../core/contributors/contributor.ts';
import { addDays, type Instant, now } from '../../core/instant.ts';
import { TableListing } from '../../core/listing/table-listing.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';

const lifetimeDays = 14;
/** How long the list of invitations shows those that have ended. */
const listedDays = 180;

/** How many can be created at a time. */
export const maxInvitations = 50;

/** Without vowels, which could make words, and without signs that look like another one. */
const codeSigns = '23456789CDFGHJKLMNPQRTVWXY';
const codeLength = 8;
/** Signs that people type by mistake, with the sign on the card. */
const lookAlikes: Readonly<Record<string, string>> = { 1: 'L', I: 'L', Z: '2', S: '5', B: '8', U: 'V' };

export const newCode = (length = codeLength): string =>
  Array.from({ length }, () => codeSigns[randomInt(codeSigns.length)]).join('');

export const formatCode = (code: string): string =>
  `${code.slice(0, code.length / 2)}-${code.slice(code.length / 2)}`;

/** The code that somebody has typed, in any case, with any spaces and dashes; undefined if it is none. */
export function parseCode(text: string, length = codeLength): string | undefined {
  const typed = text.toUpperCase().replace(/[\s\p{Pd}._]/gu, '');
  const code = typed.replace(/[1IZSBU]/g, (sign) => lookAlikes[sign] ?? sign);
  const isCode = code.length === length && [...code].every((sign) => codeSigns.includes(sign));
  return isCode ? code : undefined;
}

const hashInvitation = (text: string): string => {
  const code = parseCode(text);
  return hashSecret(code === undefined ? text : `invitation code ${code}`);
};

export interface Invitations {
  readonly secrets: readonly string[];
  readonly expires: Instant;
}

/** `actor` is the contributor who invites: null for the operator. */
export const createInvitations = (
  database: Database,
  actor: number | null,
  count = 1,
): Promise<Invitations> =>
  storeInvitations(
    database,
    actor,
    Array.from({ length: count }, () => ({ secret: newSecret(), name: '' })),
  );

export interface InvitationCard {
  readonly code: string;
  /** The person for whom it is; may be empty. */
  readonly name: string;
}

/** Invitations with a code, one for each name. */
export async function createInvitationCards(
  database: Database,
  actor: number | null,
  names: readonly string[],
): Promise<InvitationCard[]> {
  const cards = names.map((name) => ({ code: newCode(), name }));
  await storeInvitations(
    database,
    actor,
    cards.map(({ code, name }) => ({ secret: code, name })),
  );
  return cards;
}

function storeInvitations(
  database: Database,
  actor: number | null,
  invitations: readonly { readonly secret: string; readonly name: string }[],
): Promise<Invitations> {
  return transact(database, actor, async ({ transaction, changeSet }) => {
    const expires = addDays(changeSet.at, lifetimeDays);
    const row = { created_by: actor, created: changeSet.at, expires, contributor: null, used: null };
    await transaction.insert(
      invitationTable,
      invitations.map(({ secret, name }) => ({ hash: hashInvitation(secret), ...row, name })),
    );
    for (const _ of invitations)
      changeSet.add({ kind: 'invitation', action: 'created', subject: actor ?? 0, owner: actor });
    return { secrets: invitations.map(({ secret }) => secret), expires };
  });
}

export const invalidInvitation = apiText('invitationInvalid');

const isOpen = () => sql`used is null and expires > ${now()}`;
const isRedeemable = (text: string) => sql`hash = ${hashInvitation(text)} and ${isOpen()}`;

/** Whether a link is valid. Codes could be guessed: `checkInvitation` counts the tries. */
export const isValidLink = (reader: Reader, secret: string): Promise<boolean> =>
  exists(reader, sql`from invitation where ${isRedeemable(secret)}`);

/** Whether the code or the secret of a link is valid. Throws TooManyRequests after too many wrong codes. */
export async function checkInvitation(
  { database, attempts }: { readonly database: Database; readonly attempts: SignInAttempts },
  text: string,
  client: Client,
): Promise<boolean> {
  const attempt = parseCode(text) === undefined ? undefined : await attempts.beginCode(client.address);
  const isValid = await exists(database, sql`from invitation where ${isRedeemable(text)}`);
  if (isValid && attempt) await attempts.cancel(attempt);
  return isValid;
}

/** Uses the invitation up for the new contributor; false if it was not valid. */
export async function redeemInvitation(
  transaction: Transaction,
  text: string,
  contributor: number,
): Promise<boolean> {
  const redeemed = await executeReturning(transaction, invitationTable.columns)`update invitation
    set used = ${now()}, contributor = ${contributor} where ${isRedeemable(text)}`;
  return redeemed !== undefined;
}

/** Admins manage all invitations, moderators their own. */
const isManageable = ({ role, contributor }: Viewer): Sql =>
  role === 'admin' ? sql`1 = 1` : sql`created_by = ${contributor}`;

const listedColumns = {
  ...omit(invitationTable.columns, 'created_by'),
  username: nullable(columnOfContributor('username', 'invitation.contributor')),
  maker: nullable(columnOfContributor('username', 'invitation.created_by')),
};

export type ListedInvitation = RowOf<typeof listedColumns>;

/** The last ones first, those that were made together by their names. */
export const listInvitations = (database: Database, viewer: Viewer): TableListing<ListedInvitation> =>
  new TableListing(database, {
    table: 'invitation',
    columns: listedColumns,
    condition: isManageable(viewer),
    order: [
      { column: 'created', descending: true },
      { column: 'name', descending: false },
      { column: 'hash', descending: false },
    ],
  });

/** Notes whom invitations are for, by their hashes. */
export async function nameInvitations(
  { transaction, viewer }: WriteContext,
  names: ReadonlyMap<string, string>,
): Promise<void> {
  for (const [hash, name] of [...names].sort())
    await execute(transaction)`update invitation set name = ${name}
      where hash = ${hash} and name <> ${name} and ${isManageable(viewer)}`;
}

/** Ends an invitation that nobody has used yet. */
export async function endInvitation({ transaction, changeSet, viewer }: WriteContext, hash: string) {
  const isFound = await exists(
    transaction,
    sql`from invitation where hash = ${hash} and ${isManageable(viewer)}`,
  );
  if (!isFound) throw new NotFound();
  const ended = await executeReturning(transaction, invitationTable.columns)`update invitation
    set expires = ${changeSet.at} where hash = ${hash} and ${isOpen()}`;
  if (ended)
    changeSet.add({
      kind: 'invitation',
      action: 'revoked',
      subject: viewer.contributor ?? 0,
      owner: ended.created_by,
    });
}

export const sweepInvitations = (database: Database): Promise<void> =>
  executeAlone(database)`delete from invitation where expires <= ${addDays(now(), -listedDays)}`;
