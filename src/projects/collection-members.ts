// The members that only a collection has, and what may be written to them.

import { z } from 'zod';
import { apiText, type Text } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { choiceField, type Field } from '#rest/fields.ts';
import { isCollection } from '../core/content-types.ts';
import { oneOf, optional } from '../core/dump/line-format.ts';
import { hasGroups } from './hooks.ts';
import { collectionKinds, offerChoices, type ProjectRow } from './project.ts';
import { dueMember, endsMember } from './time-members.ts';
import { isForGroup } from './visibility/made-for-a-group.ts';

/** One of a few values, or null. */
export function choiceMember<const Value extends string>(
  label: Text,
  choices: Readonly<Record<Value, Text>>,
  values: readonly Value[],
  description: string,
) {
  const choice = choiceField(label, choices, { help: description });
  const field: Field<Value | null> = {
    ...choice,
    schema: { ...choice.schema, type: ['string', 'null'], enum: [...values, null] },
    read: (value) => (value === null || value === '' ? null : choice.read(value)),
  };
  const schema = z.enum(values).nullable().describe(description);
  return { field, schema, line: optional(oneOf(values)), initial: null, isCopied: false } as const;
}

/** See fields.ts. */
export const collectionMembers = {
  kind: choiceMember(
    'Kind',
    { collection: 'collection', class: 'class' },
    collectionKinds,
    'Of a collection: moderators make classes. It stays as it is.',
  ),
  offers: choiceMember(
    apiText('offers'),
    { closed: apiText('offers.closed'), open: apiText('offers.open') },
    offerChoices,
    'Whether people may offer their own projects for a collection.',
  ),
  due: dueMember,
  ends: endsMember,
} as const;

const ofCollections = ['kind', 'offers'] as const;
const ofClasses = ['due', 'ends'] as const;
type CollectionName = (typeof ofCollections | typeof ofClasses)[number];

/** The row with the members that a collection has even if they were not sent. Throws for those that it cannot have. */
export function settleCollection<
  Row extends Pick<ProjectRow, CollectionName | 'content_type' | 'visibility'>,
>(before: Row | undefined, row: Row): Row {
  const after = isCollection(row)
    ? { ...row, kind: row.kind ?? ('collection' as const), offers: row.offers ?? ('closed' as const) }
    : row;
  const wrong: Partial<Record<CollectionName | 'visibility', Text[]>> = {};
  for (const name of ofCollections)
    if (!isCollection(after) && after[name] !== null) wrong[name] = [apiText('onlyCollection')];
  for (const name of ofClasses)
    if (after.kind !== 'class' && after[name] !== null) wrong[name] = [apiText('onlyClass')];
  // Only a class itself is for a group.
  if (after.kind === 'collection' && isForGroup(after) && !(before && isForGroup(before)))
    wrong.visibility = [apiText('notChoice', { value: after.visibility })];
  if (!before && after.kind === 'class' && !hasGroups())
    wrong.kind = [apiText('notChoice', { value: 'class' })];
  if (Object.keys(wrong).length > 0) throw new Invalid(wrong);
  if (before && before.kind !== after.kind) throw new Invalid({ kind: [apiText('kindStays')] });
  return after;
}
