// The pictures of a project that its text can show: `![description](name)`.

export interface TextPicture {
  readonly name: string;
  /** The description, for a picture that has none in the text. */
  readonly alt: string;
  /** The address of the largest size. */
  readonly href: string;
  /** The attributes of the element besides `alt`. */
  readonly attributes: Readonly<Record<string, string>>;
}

/** A picture was converted when it was uploaded: people know it by its old name too. */
export const pictureName = (name: string) => name.replace(/\.(jpe?g|png|gif|webp)$/i, '').toLowerCase();

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
