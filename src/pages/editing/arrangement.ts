// The form that describes, orders and removes the files of a project.

import { type Field, type Fields, readPartially } from '../../common/fields.ts';
import { mediaFields } from '../../gallery/media/fields.ts';
import { describeMediaType, type Media } from '../../gallery/media/media.ts';
import type { Translator } from '../messages/translator.ts';

const isPicture = ({ type }: Media) => describeMediaType(type).display === 'picture';

/** The first picture is the cover of its project. */
export const findCover = (media: readonly Media[]): Media | undefined => media.find(isPicture);

/** A description and a position for each file. */
export function getArrangementFields({ t }: Translator, media: readonly Media[]) {
  const fields: Record<string, Field> = {};
  for (const { number } of media) {
    fields[`alt-${number}`] = { ...mediaFields.alt, label: t('files.description'), help: undefined };
    fields[`position-${number}`] = { ...mediaFields.position, label: t('files.position'), help: undefined };
  }
  return fields satisfies Fields;
}

interface PlacedFile {
  readonly file: Media;
  readonly place: number;
}

/** The files in their new order. `shown` are those of the form; the others of the project stay, at the end. */
export function readArrangement(
  language: Translator,
  data: Readonly<Record<string, unknown>>,
  shown: readonly Media[],
  files: readonly Media[],
): readonly Media[] {
  const values = readPartially(getArrangementFields(language, shown), data);
  const others = files.filter(({ number }) => !shown.some((file) => file.number === number));
  const removed = [data.remove].flat();
  const placed = shown.map<PlacedFile>((file, index) => {
    const { [`alt-${file.number}`]: alt, [`position-${file.number}`]: position } = values;
    const shift = Math.sign(Number(position ?? index + 1) - index - 1) / 2;
    return {
      file: { ...file, alt: String(alt ?? file.alt) },
      // A file that was moved comes before or after the one whose number it was given.
      place: Number(position ?? index + 1) + shift,
    };
  });
  const ordered = placed.toSorted((one, other) => one.place - other.place).map(({ file }) => file);
  const kept = ordered.filter(({ number }) => !removed.includes(String(number)));
  // A cover that was chosen counts more than the order, if it is another one than before.
  const chosen = kept.find(({ number }) => String(number) === data.cover);
  const isNewCover = chosen && isPicture(chosen) && chosen.number !== findCover(shown)?.number;
  return [...(isNewCover ? putBefore(kept, chosen, findCover(kept)) : kept), ...others];
}

function putBefore(files: readonly Media[], file: Media, next: Media | undefined): readonly Media[] {
  if (!next || next === file) return files;
  const others = files.filter((other) => other !== file);
  return others.toSpliced(others.indexOf(next), 0, file);
}
