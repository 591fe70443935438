// Writes a FLAC file anew from what is played: the numbers for the decoder, a short table for seeking, and the frames. Each
// frame has a checksum, so that nothing else is taken for a frame.

import { apiText } from '../../../common/api-text.ts';
import { InvalidValue } from '../../../common/inputs.ts';

const [streamInfo, seekTable] = [0, 3];
/** Players find their way without it. */
const maxSeekTableBytes = 200_000;
const broken = () => new InvalidValue(apiText('brokenFile'));

export function stripFlac(bytes: Buffer): Buffer {
  let info: Buffer | undefined;
  let seeking: Buffer | undefined;
  for (let at = 4; at + 4 <= bytes.length; ) {
    const kind = bytes.readUInt8(at);
    const end = at + 4 + bytes.readUIntBE(at + 1, 3);
    const block = bytes.subarray(at, end);
    if ((kind & 127) === streamInfo) info ??= block;
    if ((kind & 127) === seekTable && block.length <= maxSeekTableBytes) seeking ??= block;
    at = end;
    if (kind < 128) continue;
    if (!info || at >= bytes.length) break;
    const frames = bytes.subarray(at, findEndOfSound(bytes));
    requireFrames(frames);
    info[0] = seeking ? streamInfo : streamInfo | 128;
    if (seeking) seeking[0] = seekTable | 128;
    return Buffer.concat([Buffer.from('fLaC'), info, ...(seeking ? [seeking] : []), frames]);
  }
  throw broken();
}

/** Before the tags of other formats that some programs write behind. */
function findEndOfSound(bytes: Buffer): number {
  for (let end = bytes.length; ; ) {
    const before = end;
    if (bytes.toString('latin1', end - 128, end - 125) === 'TAG') end -= 128;
    if (bytes.toString('latin1', end - 32, end - 24) === 'APETAGEX') {
      const hasHeader = bytes.readUInt8(end - 9) >= 128;
      end -= bytes.readUInt32LE(end - 20) + (hasHeader ? 32 : 0);
    }
    if (end === before) return end;
    if (end < 128) throw broken();
  }
}

const checksums = Uint16Array.from({ length: 256 }, (_, byte) => {
  let value = byte << 8;
  for (let bit = 0; bit < 8; bit++) value = value & 0x8000 ? (value << 1) ^ 0x8005 : value << 1;
  return value;
});

/** With its own checksum at its end, the checksum of a frame is zero: so it is of frames that follow each other. */
function requireFrames(frames: Buffer): void {
  if (frames.length < 6 || frames[0] !== 0xff || (frames.readUInt8(1) & 0xfe) !== 0xf8) throw broken();
  let checksum = 0;
  for (let at = 0; at < frames.length; at++)
    checksum = ((checksum << 8) & 0xffff) ^ (checksums[(checksum >> 8) ^ (frames[at] as number)] as number);
  if (checksum !== 0) throw broken();
}
