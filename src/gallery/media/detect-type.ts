// Detects a file's type by its content; its name and declared type are ignored. Unknown types are rejected, and so
// are types that could run code when opened.

import { isUtf8 } from 'node:buffer';
import { apiText } from '../../common/api-text.ts';
import { slices } from '../../common/event-loop.ts';
import { InvalidValue } from '../../common/inputs.ts';
import type { MediaType } from './media.ts';

/** `picture` stands for any image format: all are converted to WebP. Which archives are documents is found out later. */
export type DetectedType = MediaType | 'picture';

const unknownType = apiText('fileKind');

export async function detectType(bytes: Uint8Array): Promise<DetectedType> {
  const type = await detectKnownType(bytes);
  if (!type) throw new InvalidValue(unknownType);
  return type;
}

/** For places that take nothing but a picture. A drawing in SVG could run scripts. */
export async function requirePicture(bytes: Uint8Array): Promise<void> {
  if ((await detectKnownType(bytes)) !== 'picture') throw new InvalidValue(apiText('site.badLogo'));
}

async function detectKnownType(bytes: Uint8Array): Promise<DetectedType | undefined> {
  if (bytes.length === 0) throw new InvalidValue(apiText('emptyFile'));
  const type = detectBySignature(bytes);
  if (type) return type;
  if (await isText(bytes)) return 'text/plain';
  return detectModelType(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** Texts and models have none. */
export function detectBySignature(bytes: Uint8Array): DetectedType | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 4096)).toString('latin1');
  if (
    ['\xff\xd8\xff', '\x89PNG\r\n\x1a\n', 'GIF87a', 'GIF89a'].some((signature) => head.startsWith(signature))
  )
    return 'picture';
  if (head.startsWith('RIFF') && head.slice(8, 12) === 'WEBP') return 'picture';
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

function detectVideoType(brand: string): MediaType | undefined {
  if (/^(hei|hev|mif1|msf1|avi[fs])/.test(brand)) throw new InvalidValue(apiText('heic'));
  if (brand === 'qt  ') return 'video/quicktime';
  if (/^M4[AB] /.test(brand)) return 'audio/mp4';
  if (/^(iso\d|isom|mp4\d|avc1|M4V|MSNV|dash|mmp4|f4v|3g)/.test(brand)) return 'video/mp4';
  return undefined;
}

/** Their lengths are in their heads, too. */
export function detectModelType(bytes: Buffer): MediaType | undefined {
  const [first, second] = bytes.length >= 84 ? [bytes.readUInt32BE(0), bytes.readUInt32LE(4)] : [];
  if (first === 0x676c5446 && second === 2 && bytes.readUInt32LE(8) === bytes.length)
    return 'model/gltf-binary';
  if (first === 0x5546320a && second === 0x9e5d5157 && bytes.length % 512 === 0) return 'application/x-uf2';
  // A name or a comment of 80 bytes, the number of triangles, and 50 bytes for each.
  if (first !== undefined && bytes.length === 84 + 50 * bytes.readUInt32LE(80)) return 'model/stl';
  return undefined;
}

/** Source code and HTML count as text too: files are only ever served as text/plain. */
async function isText(bytes: Uint8Array): Promise<boolean> {
  if (!isUtf8(bytes)) return false;
  for await (const slice of slices(bytes))
    if (forbiddenControls.some((control) => slice.includes(control))) return false;
  return true;
}

/** All control characters except tab, line feed, form feed and carriage return. */
const forbiddenControls = Array.from({ length: 0x20 }, (_, byte) => byte).filter(
  (byte) => ![9, 10, 12, 13].includes(byte),
);
