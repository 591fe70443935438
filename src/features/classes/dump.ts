import { id, instant, oneOf, sha256 } from '../../core/dump/line-format.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { cardPurposes } from './cards.ts';
import { accountCardTable, classLinkTable } from './tables.ts';

export const cardKind = tableKind(
  accountCardTable,
  {
    contributor: id,
    purpose: oneOf(cardPurposes),
    hash: sha256('the SHA-256 of a code'),
    created: instant,
  },
  {
    type: 'card',
    ownData: false,
    unique: 'hash',
    rights: { name: 'card', columns: ['hash'] },
    describeChange: null,
  },
);

export const linkKind = tableKind(
  classLinkTable,
  { collection: id, hash: sha256('the SHA-256 of the link that joins a class') },
  {
    ownData: false,
    unique: 'hash',
    rights: { name: 'link', columns: ['hash'] },
    describeChange: null,
  },
);
