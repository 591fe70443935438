// The second factor: who has turned it on is asked for a passkey or a recovery code wherever a password signs in.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import {
  type Database,
  execute,
  executeReturning,
  exists,
  first,
  type Reader,
  type Row,
  type Transaction,
} from '#sql';
import { findAccount, lockAccount } from '../../../core/accounts/account.ts';
import { reportAccountEvent } from '../../../core/accounts/account-events.ts';
import { needsSecondFactor, type SecondFactorPolicy } from '../../../core/accounts/dependencies.ts';
import { hashSecret } from '../../../core/accounts/secret.ts';
import { deleteSessions } from '../../../core/accounts/sessions.ts';
import { secondFactorTable } from '../../../core/accounts/tables.ts';
import { transact } from '../../../core/changes/transact.ts';
import { queueNotice } from '../../../core/mail/queue.ts';

// A recovery code stands in for a passkey once. 80 random bits: only a hash is stored, which needs no salt.

export const recoveryCodeCount = 10;

/** Without letters that are mistaken for digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 16;

function newRecoveryCodes(): string[] {
  return Array.from({ length: recoveryCodeCount }, () => {
    const bytes = crypto.getRandomValues(new Uint8Array(codeLength));
    const code = [...bytes].map((byte) => alphabet[byte % alphabet.length]).join('');
    return code.replace(/(.{4})(?=.)/g, '$1-');
  });
}

/** The same for a code that was typed with other letters, spaces or dashes. */
function hashRecoveryCode(code: string): string {
  const letters = code.toLowerCase().replace(/[\s-]/g, '').replaceAll('o', '0').replace(/[il]/g, '1');
  return hashSecret(letters);
}

/** Whether the contributor has to turn it on before their role works. */
export async function lacksSecondFactor(
  policy: SecondFactorPolicy,
  reader: Reader,
  contributor: number,
): Promise<boolean> {
  const account = await findAccount(reader, contributor);
  if (!account || !needsSecondFactor(policy, account.role)) return false;
  return (await findSecondFactor(reader, contributor)) === undefined;
}

/** `recovery_codes` are the hashes of those that are left, separated by spaces. */
export type SecondFactor = Row<typeof secondFactorTable>;

export const splitHashes = (text: string) => text.split(' ').filter(Boolean);
export const joinHashes = (hashes: readonly string[]) => hashes.join(' ');

export const findSecondFactor = (reader: Reader, contributor: number): Promise<SecondFactor | undefined> =>
  first(reader, secondFactorTable.columns)`from second_factor where contributor = ${contributor}`;

interface Owner {
  readonly contributor: number;
  /** The session in which they do this. */
  readonly session: string;
}

/** Ends all other sessions: they began with the password alone. Returns the recovery codes, which are shown once. */
export function turnOnSecondFactor(
  database: Database,
  { contributor, session }: Owner,
  host: string,
): Promise<string[]> {
  const codes = newRecoveryCodes();
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    await transaction.lockChangeLog();
    const hasPasskey = sql`from passkey where contributor = ${contributor} and host = ${host}`;
    if (!(await exists(transaction, hasPasskey)))
      throw new Invalid({ non_field_errors: [apiText('passkeyFirst')] });
    if (await findSecondFactor(transaction, contributor))
      throw new Invalid({ non_field_errors: [apiText('secondFactorOn')] });
    const recovery_codes = joinHashes(codes.map(hashRecoveryCode));
    await transaction.insert(secondFactorTable, [{ contributor, created: changeSet.at, recovery_codes }]);
    await execute(transaction)`delete from session where contributor = ${contributor} and hash <> ${session}`;
    changeSet.add({ kind: 'second_factor', action: 'created', subject: contributor, owner: contributor });
    await queueNotice(transaction, contributor, 'second_factor_created');
    return codes;
  });
}

export function renewRecoveryCodes(database: Database, contributor: number): Promise<string[]> {
  const codes = newRecoveryCodes();
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    const renewed = await executeReturning(transaction, secondFactorTable.columns)`update second_factor
      set recovery_codes = ${joinHashes(codes.map(hashRecoveryCode))}
      where contributor = ${contributor}`;
    if (!renewed) throw new Invalid({ non_field_errors: [apiText('secondFactorOff')] });
    changeSet.add({ kind: 'second_factor', action: 'renewed', subject: contributor, owner: contributor });
    return codes;
  });
}

export function turnOffSecondFactor(database: Database, contributor: number): Promise<void> {
  return transact(database, contributor, async ({ transaction, changeSet }) => {
    await execute(transaction)`delete from second_factor where contributor = ${contributor}`;
    changeSet.add({ kind: 'second_factor', action: 'removed', subject: contributor, owner: contributor });
    await queueNotice(transaction, contributor, 'second_factor_removed');
  });
}

/** For the operator, after all devices were lost: the passkeys and the second factor go, and all sessions end. */
export function resetSecondFactor(database: Database, contributor: number): Promise<void> {
  return transact(database, null, async ({ transaction, changeSet }) => {
    await lockAccount(transaction, contributor);
    await execute(transaction)`delete from second_factor where contributor = ${contributor}`;
    await execute(transaction)`delete from passkey where contributor = ${contributor}`;
    await deleteSessions(transaction, contributor);
    changeSet.add({ kind: 'second_factor', action: 'reset', subject: contributor, owner: contributor });
    await queueNotice(transaction, contributor, 'second_factor_removed');
  });
}

/** False if it is none of the contributor's codes. Of two requests with one code, only one gets true. */
export async function useRecoveryCode(
  database: Database,
  contributor: number,
  code: string,
): Promise<boolean> {
  const hash = hashRecoveryCode(code);
  const isUsed = await database.transaction((transaction) => removeCode(transaction, contributor, hash));
  if (isUsed) reportAccountEvent(database, { event: 'recovery code used', actor: contributor, contributor });
  return isUsed;
}

async function removeCode(transaction: Transaction, contributor: number, hash: string): Promise<boolean> {
  const secondFactor = await first(transaction, secondFactorTable.columns)`from second_factor
    where contributor = ${contributor} ${transaction.forUpdate}`;
  const hashes = splitHashes(secondFactor?.recovery_codes ?? '');
  if (!hashes.includes(hash)) return false;
  const left = joinHashes(hashes.filter((other) => other !== hash));
  await execute(transaction)`update second_factor set recovery_codes = ${left}
    where contributor = ${contributor}`;
  return true;
}
