// Detects a file's type by its content; its name and declared type are ignored. Types that could run code when opened are
// not known here.

import { isUtf8 } from 'node:buffer';
import { setImmediate } from 'node:timers/promises';
import { InvalidFile } from './invalid-file.ts';

export { InvalidFile };

export type PictureType = 'image/jpeg' | 'image/png' | 'image/gif' | 'image/webp';

type Office = 'application/vnd.openxmlformats-officedocument';
type Open = 'application/vnd.oasis.opendocument';

/** Archives that are recognized as documents when they are cleaned. */
export type DocumentType =
  | `${Office}.${'wordprocessingml.document' | 'spreadsheetml.sheet' | 'presentationml.presentation'}`
  | `${Open}.${'text' | 'spreadsheet' | 'presentation'}`
  | 'application/epub+zip';

export type FileType =
  | PictureType
  | DocumentType
  | `video/${'mp4' | 'quicktime' | 'webm' | 'ogg'}`
  | `audio/${'mpeg' | 'ogg' | 'wav' | 'mp4' | 'flac'}`
  | `application/${'pdf' | 'zip' | 'x-uf2'}`
  | `model/${'stl' | 'gltf-binary'}`
  | `text/${'plain' | 'vtt'}`;

export const isPictureType = (type: FileType): type is PictureType => type.startsWith('image/');

export const isDocumentType = (type: FileType): type is DocumentType =>
  type.startsWith('application/vnd.') || type === 'application/epub+zip';

/** Undefined if it is not known. Throws InvalidFile for an empty file, and for a picture in HEIC or AVIF. */
export async function detectType(bytes: Uint8Array): Promise<FileType | undefined> {
  if (bytes.length === 0) throw new InvalidFile('emptyFile');
  const type = detectBySignature(bytes);
  if (type) return type;
  if (await isText(bytes)) return isCaptions(bytes) ? 'text/vtt' : 'text/plain';
  return detectModelType(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** WebVTT. Its first line may go on behind the word. */
const isCaptions = (bytes: Uint8Array): boolean =>
  /^\uFEFF?WEBVTT([ \t\r\n]|$)/.test(
    new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(0, 12)),
  );

/** Texts and models have none. */
export function detectBySignature(bytes: Uint8Array): FileType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  if (head.startsWith('\xff\xd8\xff')) return 'image/jpeg';
  if (head.startsWith('\x89PNG\r\n\x1a\n')) return 'image/png';
  if (/^GIF8[79]a/.test(head)) return 'image/gif';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'image/webp';
  if (head.slice(4, 8) === 'ftyp') return detectVideoType(head.slice(8, 12));
  if (head.startsWith('\x1a\x45\xdf\xa3') && head.includes('webm')) return 'video/webm';
  if (head.startsWith('OggS') && head.includes('\x80theora')) return 'video/ogg';
  if (head.startsWith('OggS') && ['\x01vorbis', 'OpusHead'].some((codec) => head.includes(codec)))
    return 'audio/ogg';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WAVE') return 'audio/wav';
  if (head.startsWith('fLaC')) return 'audio/flac';
  if ((head.startsWith('ID3') && head.charCodeAt(3) < 5) || /^\xff[\xe2\xe3\xf2\xf3\xfa\xfb]/.test(head))
    return 'audio/mpeg';
  if (head.startsWith('%PDF-')) return 'application/pdf';
  if (head.startsWith('PK\x03\x04')) return 'application/zip';
  return undefined;
}

function detectVideoType(brand: string): FileType | undefined {
  if (/^(hei|hev|mif1|msf1|avi[fs])/.test(brand)) throw new InvalidFile('heic');
  if (brand === 'qt  ') return 'video/quicktime';
  if (/^M4[AB] /.test(brand)) return 'audio/mp4';
  if (/^(iso\d|isom|mp4\d|avc1|M4V|MSNV|dash|mmp4|f4v|3g)/.test(brand)) return 'video/mp4';
  return undefined;
}

/** Their lengths are in their heads, too. */
export function detectModelType(bytes: Buffer): FileType | undefined {
  const [first, second] = bytes.length >= 84 ? [bytes.readUInt32BE(0), bytes.readUInt32LE(4)] : [];
  if (first === 0x676c5446 && second === 2 && bytes.readUInt32LE(8) === bytes.length)
    return 'model/gltf-binary';
  if (first === 0x5546320a && second === 0x9e5d5157 && bytes.length % 512 === 0) return 'application/x-uf2';
  // A name or a comment of 80 bytes, the number of triangles, and 50 bytes for each.
  if (first !== undefined && bytes.length === 84 + 50 * bytes.readUInt32LE(80)) return 'model/stl';
  return undefined;
}

const sliceBytes = 4 * 1024 * 1024;

/** Source code and HTML count as text too. Other work of the thread goes on between the slices of a long text. */
async function isText(bytes: Uint8Array): Promise<boolean> {
  if (!isUtf8(bytes)) return false;
  for (let start = 0; start < bytes.length; start += sliceBytes) {
    if (start > 0) await setImmediate();
    const slice = bytes.subarray(start, start + sliceBytes);
    if (forbiddenControls.some((control) => slice.includes(control))) return false;
  }
  return true;
}

/** All control characters except tab, line feed, form feed and carriage return. */
const forbiddenControls = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  (byte) => ![9, 10, 12, 13].includes(byte),
);
