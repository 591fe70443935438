// The operator can require a second factor of moderators and admins. Until they have turned it on, their role does not
// work: they are treated as contributors.

import type { Reader } from '../../database/database.ts';
import { findAccount } from '../accounts/account.ts';
import type { Role } from '../viewer.ts';
import { findSecondFactor } from './second-factor.ts';

export interface SecondFactorPolicy {
  readonly requiresSecondFactor: boolean;
}

export function needsSecondFactor({ requiresSecondFactor }: SecondFactorPolicy, role: Role | null): boolean {
  return requiresSecondFactor && role !== null && role !== 'contributor';
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
