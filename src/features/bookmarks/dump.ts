import { id, instant } from '../../core/dump/line-format.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { bookmarkTable } from './tables.ts';

export const bookmarkKind = tableKind(
  bookmarkTable,
  { contributor: id, project: id, created: instant },
  { ownData: true, describeChange: null, rights: 'none' },
);
