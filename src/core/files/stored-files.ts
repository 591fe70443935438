// Files that people add, and the rules for them wherever they come from.

import { apiText, type Text } from '#common/api-text.ts';
import { normalizeText } from '#common/text-rules.ts';

export const mediaLimits = {
  files: 10,
  alt: 1000,
  /** Without the extension. */
  name: 100,
  /** With the extension. Imported names stay as they are. */
  importedName: 200,
} as const;

/** One size of a picture, or the one original of any other file. The hash is the SHA-256 of the bytes. */
export interface Size {
  readonly hash: string;
  readonly bytes: number;
  readonly width: number | null;
  readonly height: number | null;
}

interface NamedFile {
  readonly type: MediaType;
  readonly name: string;
}

interface MediaTypeDescription {
  readonly extension: string;
  /** Names keep these too: programs look at them. */
  readonly otherExtensions?: string;
  readonly label: Text;
  /** How pages show it; all other types are offered for download. */
  readonly display?: 'picture' | 'video' | 'audio' | 'captions';
}

const office = 'application/vnd.openxmlformats-officedocument';
const open = 'application/vnd.oasis.opendocument';

// No browser runs files with these names, except JavaScript, CSS and SVG, which are served as plain text for download.
const textExtensions =
  'asm|c|cpp|cs|css|csv|gcode|geojson|go|h|hex|hpp|ino|ipynb|java|js|json|kt|lua|md|mtl|obj|pde|php|py|rb|rs|scad|scss|sql|stl|svg|swift|toml|ts|tsv|yaml|yml';
/** Projects of Scratch, App Inventor, LEGO, FreeCAD, Fritzing, GeoGebra and printers. */
const archiveExtensions = '3mf|aia|ev3|fcstd|fzz|ggb|llsp|llsp3|lmsp|mblock|sb2|sb3|sprite2|sprite3';

/** The stored types. All pictures are converted to WebP. */
export const mediaTypes = {
  'image/webp': { extension: 'webp', label: apiText('picture'), display: 'picture' },
  'video/mp4': { extension: 'mp4', label: apiText('mp4'), display: 'video' },
  'video/quicktime': { extension: 'mov', label: apiText('quickTime'), display: 'video' },
  'video/webm': { extension: 'webm', label: apiText('webm'), display: 'video' },
  'video/ogg': { extension: 'ogv', label: apiText('oggVideo'), display: 'video' },
  'audio/mpeg': { extension: 'mp3', label: 'MP3', display: 'audio' },
  'audio/ogg': { extension: 'ogg', label: apiText('oggSound'), display: 'audio' },
  'audio/wav': { extension: 'wav', label: 'WAV', display: 'audio' },
  'audio/mp4': { extension: 'm4a', label: 'M4A', display: 'audio' },
  'audio/flac': { extension: 'flac', label: 'FLAC', display: 'audio' },
  'application/pdf': { extension: 'pdf', label: 'PDF' },
  'text/plain': { extension: 'txt', otherExtensions: textExtensions, label: apiText('plainText') },
  'text/vtt': { extension: 'vtt', label: apiText('captions'), display: 'captions' },
  [`${office}.wordprocessingml.document`]: { extension: 'docx', label: apiText('word') },
  [`${office}.spreadsheetml.sheet`]: { extension: 'xlsx', label: apiText('excel') },
  [`${office}.presentationml.presentation`]: { extension: 'pptx', label: apiText('powerPoint') },
  [`${open}.text`]: { extension: 'odt', label: apiText('odt') },
  [`${open}.spreadsheet`]: { extension: 'ods', label: apiText('ods') },
  [`${open}.presentation`]: { extension: 'odp', label: apiText('odp') },
  'application/epub+zip': { extension: 'epub', label: 'EPUB' },
  'application/zip': { extension: 'zip', otherExtensions: archiveExtensions, label: apiText('zip') },
  'model/stl': { extension: 'stl', label: apiText('stl') },
  'model/gltf-binary': { extension: 'glb', label: apiText('gltf') },
  'application/x-uf2': { extension: 'uf2', label: apiText('uf2') },
} as const satisfies Record<string, MediaTypeDescription>;

export type MediaType = keyof typeof mediaTypes;

export const describeMediaType = (type: MediaType): MediaTypeDescription => mediaTypes[type];

const uploadedPictures = 'image/jpeg,image/png,image/gif,image/webp';

function listTypes(hasType: (description: MediaTypeDescription) => boolean): string {
  const types = Object.entries<MediaTypeDescription>(mediaTypes).filter(
    ([, { display }]) => display !== 'picture',
  );
  return types
    .filter(([, description]) => hasType(description))
    .flatMap(([type, { extension, otherExtensions }]) => [
      type,
      ...[extension, ...(otherExtensions?.split('|') ?? [])].map((ending) => `.${ending}`),
    ])
    .join();
}

/** For the `accept` attribute of file fields. Phones then convert other pictures, such as HEIC. */
export const acceptedFiles = {
  pictures: uploadedPictures,
  videos: `${listTypes(({ display }) => display === 'video' || display === 'captions')},${uploadedPictures}`,
  all: `${uploadedPictures},${listTypes(() => true)}`,
};

/** Browsers neither show nor unpack what they do not know. */
export function getContentType({ type, name }: NamedFile): string {
  if (type.startsWith('text/')) return `${type}; charset=utf-8`;
  const isUnknown = type.startsWith('model/') || type === 'application/x-uf2';
  const isProject = type === 'application/zip' && !name.toLowerCase().endsWith('.zip');
  return isUnknown || isProject ? 'application/octet-stream' : type;
}

/** The path of a file, without scheme and host. */
export const mediaPath = (type: MediaType, { hash }: Pick<Size, 'hash'>): string =>
  `/media/${hash}.${describeMediaType(type).extension}`;

/** Only the end of a longer name is read. */
const maxReadName = 1000;

/** A name that is safe on every file system, with an extension of its type. */
export function sanitizeFileName(name: string, type: MediaType): string {
  const { extension, otherExtensions } = describeMediaType(type);
  const baseName = normalizeText(name.slice(-maxReadName), 'NFC').split(/[/\\]/).at(-1) ?? '';
  // Multipart forms encode quotes and line breaks in file names as %22, %0D and %0A.
  const plain = baseName
    .replace(/%(22|0d|0a)/gi, ' ')
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Zl}\p{Zp}<>:"|?*%]/gu, ' ')
    .replace(/\s+/g, ' ')
    .trim();
  const [ending = `.${extension}`] =
    (otherExtensions && new RegExp(`\\.(${otherExtensions})$`, 'i').exec(plain)) || [];
  const stem = plain
    .replace(new RegExp(`(${RegExp.escape(ending)}|\\.(${extension}|${pictureExtensions}))$`, 'i'), '')
    .replace(/^[. ]+|[. ]+$/g, '');
  return `${[...stem].slice(0, mediaLimits.name).join('').trim() || 'file'}${ending}`;
}

const pictureExtensions = 'jpe?g|png|gif|webp';

/** `public` or `unlisted` if visitors may read a project that has the file, else `hidden`. */
export type Openness = 'hidden' | 'unlisted' | 'public';

/** A file as a request for its bytes gets it. */
export interface ServedFile extends NamedFile {
  readonly bytes: number;
  readonly openness: Openness;
}
