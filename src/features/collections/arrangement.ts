// The form that arranges a collection: what it sends, and the order that this asks for.

import { Invalid } from '#common/errors.ts';
import { type Fields, integerField, readPartially, textField, toText } from '#rest/fields.ts';
import { orderByPlace } from '../../core/order-by-place.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { collectionLimits } from './items.ts';
import { type Entry, isItem, isSection, newSection, type Section } from './sections.ts';
import { getNoteField } from './shared.ts';

/** Names the fields of a project, or of a section. */
export const keyOf = (entry: Entry): string =>
  isSection(entry) ? `section-${entry.number}` : String(entry.project);

const newKey = keyOf(newSection);

/** Another one if somebody else has changed the order or some words. */
export const versionOf = (entries: readonly Entry[]): string =>
  Bun.hash(
    JSON.stringify(
      entries.map((entry) => (isSection(entry) ? [entry.heading, entry.text] : [entry.project, entry.note])),
    ),
  ).toString(36);

export const maxPlace = collectionLimits.items + collectionLimits.sections;

const getPlaceField = ({ t }: Translator) =>
  integerField({ label: t('files.position'), min: 1, max: maxPlace });

/** A new one needs no words: then there is none. */
export function getSectionFields(language: Translator, section: Section): Fields {
  const { t } = language;
  const key = keyOf(section);
  return {
    [`heading-${key}`]: textField({
      label: t('collections.sectionHeading'),
      maxLength: collectionLimits.heading,
      allowsBlank: section === newSection,
    }),
    [`text-${key}`]: textField({
      label: t('collections.sectionText'),
      maxLength: collectionLimits.note,
      allowsBlank: true,
    }),
    [`place-${key}`]: getPlaceField(language),
  };
}

const getFields = (language: Translator, entries: readonly Entry[]): Fields =>
  Object.assign(
    {},
    ...[...entries, newSection].map((entry) =>
      isSection(entry)
        ? getSectionFields(language, entry)
        : {
            [`place-${keyOf(entry)}`]: getPlaceField(language),
            [`note-${keyOf(entry)}`]: getNoteField(language),
          },
    ),
  );

/** The projects and the sections in their new order, with their new words. Those of other pages are not in the form. */
export function readArrangement(
  language: Translator,
  data: Readonly<Record<string, unknown>>,
  entries: readonly Entry[],
): readonly Entry[] {
  if (data.since !== versionOf(entries))
    throw new Invalid({ non_field_errors: [language.t('collections.changedSince')] });
  const isNew = toText(data[`heading-${newKey}`]).trim() !== '';
  // Without a number, a new section comes last.
  const { [`place-${newKey}`]: place, ...others } = data;
  const sent = isNew && toText(place) !== '' ? data : others;
  const values = readPartially(getFields(language, entries), sent);
  const placeOf = (entry: Entry) => {
    const place = values[`place-${keyOf(entry)}`];
    return place === undefined ? undefined : Number(place);
  };
  const textOf = (name: string, entry: Entry, before: string) =>
    String(values[`${name}-${keyOf(entry)}`] ?? before);
  const ordered = orderByPlace(isNew ? [...entries, newSection] : entries, placeOf).map((entry) =>
    isSection(entry)
      ? {
          ...entry,
          heading: textOf('heading', entry, entry.heading),
          text: textOf('text', entry, entry.text),
        }
      : { ...entry, note: textOf('note', entry, entry.note) },
  );
  const out = toText(data.out);
  const kept = ordered.filter((entry) => isItem(entry) || keyOf(entry) !== out);
  const [move = '', key] = toText(data.move).split(' ');
  const moved = kept.find((entry) => keyOf(entry) === key);
  if (!moved) return kept;
  return isSection(moved) ? moveSection(kept, moved, move) : moveEntry(kept, moved, move);
}

function moveEntry(entries: readonly Entry[], moved: Entry, move: string): readonly Entry[] {
  const from = entries.indexOf(moved);
  const to = move === 'top' ? 0 : move === 'up' ? Math.max(0, from - 1) : move === 'down' ? from + 1 : from;
  return entries.toSpliced(from, 1).toSpliced(to, 0, moved);
}

/** With its projects, past the next section. The projects before the first section stay there. */
function moveSection(entries: readonly Entry[], moved: Entry, move: string): readonly Entry[] {
  const groups: Entry[][] = [[]];
  for (const entry of entries)
    if (isSection(entry)) groups.push([entry]);
    else groups.at(-1)?.push(entry);
  const [first = [], ...sections] = groups;
  const from = sections.findIndex(([section]) => section === moved);
  const to = move === 'top' ? 0 : move === 'up' ? Math.max(0, from - 1) : move === 'down' ? from + 1 : from;
  const [section = []] = sections.splice(from, 1);
  return [first, ...sections.toSpliced(to, 0, section)].flat();
}
