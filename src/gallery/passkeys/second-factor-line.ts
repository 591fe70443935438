import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, list, sha256 } from '../line-members.ts';
import { recoveryCodeCount } from './recovery-codes.ts';

export const secondFactorLine = defineLine('second_factor', {
  contributor: id,
  created: instant,
  recovery_codes: list({
    maxItems: recoveryCodeCount,
    member: sha256('the SHA-256 of a recovery code'),
    uniqueBy: (hash) => hash,
  }),
});

export type SecondFactorLine = LineOf<typeof secondFactorLine>;
