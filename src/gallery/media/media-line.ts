import { defineLine, type LineOf } from '../line-format.ts';
import {
  id,
  nullable,
  objects,
  oneOf,
  optional,
  sha256,
  text,
  trimmedText,
  wholeNumber,
} from '../line-members.ts';
import { type Media, type MediaType, mediaLimits, mediaTypes } from './media.ts';

const sideLength = nullable(wholeNumber(1));

export const mediaLine = defineLine('media', {
  project: id,
  number: id,
  position: wholeNumber(1, mediaLimits.files),
  media_type: oneOf(Object.keys(mediaTypes) as MediaType[]),
  name: trimmedText({ maxLength: mediaLimits.importedName, forbidden: [/[/\\]/, 'a slash'] }),
  alt: text({ maxLength: mediaLimits.alt }),
  sizes: objects(
    { hash: sha256('a SHA-256'), bytes: wholeNumber(1), width: sideLength, height: sideLength },
    { minItems: 1, maxItems: 10 },
  ),
  origin: optional(id),
});

export type MediaLine = LineOf<typeof mediaLine>;

export function formatMediaLine({ type, ...media }: Media): string {
  return mediaLine.stringify({ ...media, media_type: type });
}
