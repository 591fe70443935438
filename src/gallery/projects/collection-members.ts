// The members that only a collection has, and what may be written to them.

import { z } from 'zod';
import { apiText } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { choiceField } from '../../common/fields.ts';
import { isCollection } from '../content-types.ts';
import { oneOf, optional } from '../line-format.ts';
import { authorize } from '../permissions.ts';
import type { Viewer } from '../viewer.ts';
import { collectionKinds, offerChoices, type ProjectRow } from './project.ts';
import { dueMember, endsMember } from './time-members.ts';

const kindMember = {
  field: choiceField(
    'Kind',
    { collection: 'collection', class: 'class' },
    { help: 'Of a collection: moderators make classes. It stays as it is.' },
  ),
  schema: z.enum(collectionKinds).nullable().describe('Of a collection.'),
  line: optional(oneOf(collectionKinds)),
  initial: null,
  isCopied: false,
} as const;

const offersMember = {
  field: choiceField(
    apiText('offers'),
    { closed: apiText('offers.closed'), open: apiText('offers.open') },
    { help: 'Whether people may offer their own projects for a collection.' },
  ),
  schema: z
    .enum(offerChoices)
    .nullable()
    .describe('Whether people may offer their own projects for a collection.'),
  line: optional(oneOf(offerChoices)),
  initial: null,
  isCopied: false,
} as const;

/** See fields.ts. */
export const collectionMembers = {
  kind: kindMember,
  offers: offersMember,
  due: dueMember,
  ends: endsMember,
} as const;

const onlyFor = { kind: 'collection', offers: 'collection', due: 'class', ends: 'class' } as const;

/** The row with the members that a collection has even if they were not sent. Throws for those that it cannot have. */
export function settleCollection<
  Row extends Pick<ProjectRow, keyof typeof onlyFor | 'content_type' | 'contributor'>,
>(viewer: Viewer, before: Row | undefined, row: Row): Row {
  const after = isCollection(row)
    ? { ...row, kind: row.kind ?? ('collection' as const), offers: row.offers ?? ('closed' as const) }
    : row;
  const wrong = Object.entries(onlyFor).filter(
    ([name, owner]) =>
      after[name as keyof typeof onlyFor] !== null &&
      after.kind !== 'class' &&
      !(owner === 'collection' && isCollection(after)),
  );
  if (wrong.length > 0)
    throw new Invalid(
      Object.fromEntries(
        wrong.map(([name, owner]) => [name, [apiText(owner === 'class' ? 'onlyClass' : 'onlyCollection')]]),
      ),
    );
  if (before && before.kind !== after.kind) throw new Invalid({ kind: [apiText('kindStays')] });
  if (!before && after.kind === 'class') authorize(viewer, 'makeClass', after.contributor);
  return after;
}
