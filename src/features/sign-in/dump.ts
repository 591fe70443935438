import { passkeyTable, secondFactorTable } from '../../core/accounts/tables.ts';
import { convert, count, id, instant, list, sha256, text, trimmedText } from '../../core/dump/line-format.ts';
import { lastUse } from '../../projects/dump/account-lines.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { passkeyLimits } from './passkeys/passkey.ts';
import { joinHashes, recoveryCodeCount, splitHashes } from './second-factor/second-factor.ts';

const base64url = (maxLength: number) =>
  text({ minLength: 1, maxLength, pattern: [/^[\w-]+$/, 'bytes as base64url'] });

export const passkeyKind = tableKind(
  passkeyTable,
  {
    id,
    contributor: id,
    name: trimmedText({ maxLength: passkeyLimits.name }),
    host: trimmedText({ maxLength: 253 }),
    credential: base64url(passkeyLimits.credential),
    public_key: base64url(passkeyLimits.publicKey),
    counter: count,
    transports: text({ maxLength: 100, isSingleLine: true }),
    created: instant,
    last_used: lastUse,
  },
  {
    ownData: false,
    unique: 'credential',
    rights: { name: 'passkey', columns: ['credential', 'public_key', 'host', 'contributor'] },
  },
);

export const secondFactorKind = tableKind(
  secondFactorTable,
  {
    contributor: id,
    created: instant,
    recovery_codes: convert(
      list({
        maxItems: recoveryCodeCount,
        member: sha256('the SHA-256 of a recovery code'),
        uniqueBy: (hash) => hash,
      }),
      joinHashes,
      splitHashes,
    ),
  },
  {
    ownData: false,
    // An older backup has recovery codes that were used since.
    rights: { name: 'second factor', columns: ['recovery_codes'] },
  },
);
