// Metafiles of Windows, in Office documents: overwrites what draws nothing, which is the name of the program and of the drawing,
// and comments.

import { InvalidFile } from './invalid-file.ts';

const [header, comment] = [1, 70];
/** Comments that draw: of a later format, and of other formats of the same drawing. */
const drawingComments = ['EMF+', 'GDIC'];

export function cleanEnhancedMetafile(bytes: Buffer): Buffer {
  for (let at = 0; at + 16 <= bytes.length; ) {
    const [type, length] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    if (length < 8) throw new InvalidFile('brokenFile');
    const end = Math.min(at + length, bytes.length);
    if (type === header && end - at >= 68) {
      const [characters, place] = [bytes.readUInt32LE(at + 60), bytes.readUInt32LE(at + 64)];
      bytes.fill(0, at + Math.max(68, place), Math.min(end, at + place + 2 * characters));
    }
    if (type === comment && !drawingComments.includes(bytes.toString('latin1', at + 12, at + 16)))
      bytes.fill(0, at + 12, end);
    at = end;
  }
  return bytes;
}

const placeable = 0x9ac6cdd7;
const [escapeRecord, escapedComment] = [0x0626, 15];

/** The older format: a size for placing may stand in front, and lengths count words. */
export function cleanMetafile(bytes: Buffer): Buffer {
  const start = bytes.readUInt32LE(0) === placeable ? 22 : 0;
  for (let at = start + 18; at + 8 <= bytes.length; ) {
    const length = 2 * bytes.readUInt32LE(at);
    if (length < 6) throw new InvalidFile('brokenFile');
    const isComment =
      bytes.readUInt16LE(at + 4) === escapeRecord && bytes.readUInt16LE(at + 6) === escapedComment;
    if (isComment) bytes.fill(0, at + 8, Math.min(at + length, bytes.length));
    at += length;
  }
  return bytes;
}
