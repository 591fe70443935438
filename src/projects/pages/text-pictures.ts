// The files of a project as pictures of its text.

import { describeMediaType, mediaPath } from '../../core/files/stored-files.ts';
import { pictureName, type TextPicture } from '../../core/markdown/pictures.ts';
import type { Media } from '../media/media.ts';
import { pictureAttributes } from './project/shown-files.tsx';

/** The width of the text. */
const sizes = '(min-width: 48rem) 44rem, 92vw';

/** Feeds are read at other addresses: their pictures need the origin. */
export function toTextPictures(media: readonly Media[], origin = ''): TextPicture[] {
  return media.flatMap((file) => {
    const [attributes, largest] = [pictureAttributes(file, sizes, origin), file.sizes.at(-1)];
    if (describeMediaType(file.type).display !== 'picture' || !attributes || !largest) return [];
    const present = Object.entries(attributes).filter(([, value]) => value !== undefined);
    return {
      name: pictureName(file.name),
      alt: file.alt,
      href: origin + mediaPath(file.type, largest),
      attributes: Object.fromEntries(present.map(([name, value]) => [name, String(value)])),
    };
  });
}

/** The files that the HTML of the text does not show. */
export const withoutShown = (media: readonly Media[], html: string): readonly Media[] =>
  media.filter((file) => !html.includes(`<img src="${pictureAttributes(file, sizes)?.src}"`));
