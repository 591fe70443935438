import { id, instant, trimmedText } from '../../core/dump/line-format.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { importedLimits } from '../../projects/project.ts';
import { followedContributorTable, followedTagTable } from './tables.ts';

const rules = { ownData: true, describeChange: null, rights: 'none' } as const;

export const followedContributorKind = tableKind(
  followedContributorTable,
  { contributor: id, followed: id, created: instant },
  rules,
);

export const followedTagKind = tableKind(
  followedTagTable,
  { contributor: id, tag_key: trimmedText({ maxLength: importedLimits.tag }), created: instant },
  rules,
);
