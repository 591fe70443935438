// The files of a project, and the rules that hold for them wherever they come from.

export const limits = { files: 10, alt: 1000, name: 100 } as const;

/** Of a picture one of its sizes; of all else the file itself. */
export interface Size {
  /** The SHA-256 of the bytes: the name under which they are kept. */
  readonly hash: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
}

export interface Media {
  readonly project: number;
  readonly number: number;
  readonly position: number;
  readonly type: MediaType;
  /** For whoever takes it away; ends as its type does. */
  readonly name: string;
  /** What a picture shows, for those who do not see it. */
  readonly alt: string;
  /** The smallest first. */
  readonly sizes: readonly Size[];
}

interface Kind {
  readonly ending: string;
  readonly words: string;
  /** Shown where it stands; all else is given to be taken away. */
  readonly shown?: 'picture' | 'video';
}

const office = 'application/vnd.openxmlformats-officedocument';
const open = 'application/vnd.oasis.opendocument';

/** What is kept. Pictures are all made into WebP. */
export const mediaTypes = {
  'image/webp': { ending: 'webp', words: 'picture', shown: 'picture' },
  'video/mp4': { ending: 'mp4', words: 'MP4 video', shown: 'video' },
  'video/quicktime': { ending: 'mov', words: 'QuickTime video', shown: 'video' },
  'video/webm': { ending: 'webm', words: 'WebM video', shown: 'video' },
  'video/ogg': { ending: 'ogv', words: 'Ogg video', shown: 'video' },
  'application/pdf': { ending: 'pdf', words: 'PDF' },
  'text/plain': { ending: 'txt', words: 'text' },
  [`${office}.wordprocessingml.document`]: { ending: 'docx', words: 'Word document' },
  [`${office}.spreadsheetml.sheet`]: { ending: 'xlsx', words: 'Excel sheet' },
  [`${office}.presentationml.presentation`]: { ending: 'pptx', words: 'PowerPoint slides' },
  [`${open}.text`]: { ending: 'odt', words: 'OpenDocument text' },
  [`${open}.spreadsheet`]: { ending: 'ods', words: 'OpenDocument sheet' },
  [`${open}.presentation`]: { ending: 'odp', words: 'OpenDocument slides' },
  'application/epub+zip': { ending: 'epub', words: 'EPUB' },
  'application/zip': { ending: 'zip', words: 'ZIP archive' },
} as const satisfies Record<string, Kind>;

export type MediaType = keyof typeof mediaTypes;

export function kindOf(type: MediaType): Kind {
  return mediaTypes[type];
}

/** Where it is served, without scheme and host. */
export function mediaPath(type: MediaType, { hash }: Pick<Size, 'hash'>): string {
  return `/media/${hash}.${kindOf(type).ending}`;
}

/** A name that is safe in any folder, and says by its ending what the content is. */
export function nameOf(given: string, type: MediaType): string {
  const { ending } = kindOf(type);
  const last = given.normalize('NFC').split(/[/\\]/).at(-1) ?? '';
  // A form's parts write the signs that would end a name as %22, %0D and %0A.
  const plain = last
    .replace(/%(22|0d|0a)/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}<>:"|?*%]/gu, ' ')
    .replace(/\s+/g, ' ')
    .replace(new RegExp(`\\.(${ending}|${pictureEndings})$`, 'i'), '')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${[...plain].slice(0, limits.name).join('').trim() || 'file'}.${ending}`;
}

const pictureEndings = 'jpe?g|png|gif|webp';
