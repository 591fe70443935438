// The form that arranges a collection: what it sends, and the order that this asks for.

import { Invalid } from '#common/errors.ts';
import { type Fields, integerField, readPartially, toText } from '#rest/fields.ts';
import { orderByPlace } from '../../core/order-by-place.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { collectionLimits, type Item } from './items.ts';
import { getNoteField } from './shared.ts';

/** Another one if somebody else has changed the order or a note. */
export const versionOf = (items: readonly Item[]): string =>
  Bun.hash(JSON.stringify(items.map(({ project, note }) => [project, note]))).toString(36);

const getFields = (language: Translator, items: readonly Item[]): Fields =>
  Object.fromEntries(
    items.flatMap(({ project }) => [
      [
        `place-${project}`,
        integerField({ label: language.t('files.position'), min: 1, max: collectionLimits.items }),
      ],
      [`note-${project}`, getNoteField(language)],
    ]),
  );

/** The items in their new order, with their new notes. Those of other pages are not in the form. */
export function readArrangement(
  language: Translator,
  data: Readonly<Record<string, unknown>>,
  items: readonly Item[],
): readonly Item[] {
  if (data.since !== versionOf(items))
    throw new Invalid({ non_field_errors: [language.t('collections.changedSince')] });
  const values = readPartially(getFields(language, items), data);
  const placeOf = ({ project }: Item) => {
    const place = values[`place-${project}`];
    return place === undefined ? undefined : Number(place);
  };
  const ordered = orderByPlace(items, placeOf).map((item) => ({
    ...item,
    note: String(values[`note-${item.project}`] ?? item.note),
  }));
  const [move, id] = toText(data.move).split(' ');
  const from = ordered.findIndex(({ project }) => String(project) === id);
  const moved = ordered[from];
  if (!moved) return ordered;
  const to = move === 'top' ? 0 : move === 'up' ? Math.max(0, from - 1) : move === 'down' ? from + 1 : from;
  return ordered.toSpliced(from, 1).toSpliced(to, 0, moved);
}
