import { linkedAccountTable } from '../../core/accounts/tables.ts';
import { id, instant, text } from '../../core/dump/line-format.ts';
import { lastUse } from '../../projects/dump/account-lines.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { subjectPattern } from './linked-account.ts';
export const linkedAccountKind = tableKind(
  linkedAccountTable,
  {
    id,
    contributor: id,
    subject: text({
      maxLength: 1000,
      pattern: [subjectPattern, 'an issuer and a subject with a space between'],
    }),
    created: instant,
    last_used: lastUse,
  },
  {
    ownData: false,
    unique: 'subject',
    rights: { name: 'linked account', columns: ['subject', 'contributor'] },
  },
);
