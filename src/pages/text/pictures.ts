// The pictures of a project that its text can show: `![description](name)`.

import { describeMediaType, type Media, mediaPath } from '../../gallery/media/media.ts';
import { pictureAttributes } from '../project/files.tsx';

export interface TextPicture {
  readonly name: string;
  /** The description, for a picture that has none in the text. */
  readonly alt: string;
  /** The address of the largest size. */
  readonly href: string;
  /** The attributes of the element besides `alt`. */
  readonly attributes: Readonly<Record<string, string>>;
}

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

/** A picture was converted when it was uploaded: people know it by its old name too. */
const pictureName = (name: string) => name.replace(/\.(jpe?g|png|gif|webp)$/i, '').toLowerCase();

/** `address` is that of a link in the text. */
export function findTextPicture(
  pictures: ReadonlyMap<string, TextPicture>,
  address: string,
): TextPicture | undefined {
  try {
    return pictures.get(pictureName(decodeURIComponent(address)));
  } catch {
    return undefined;
  }
}
