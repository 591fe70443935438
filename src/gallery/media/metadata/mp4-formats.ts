// The formats of pictures, sounds and subtitles in MP4 and QuickTime files, and how their samples are stored.

import { type Box, find, readBoxes, words } from './mp4-boxes.ts';
import type { NalFormat } from './nal-units.ts';

export const videoFormats = words(
  'avc1 avc3 hvc1 hev1 av01 vp08 vp09 mp4v s263 h263 H263 dvh1 dvhe dva1 dvav jpeg mjpa mjpb apch apcn apcs apco ap4h ap4x',
);
export const soundFormats = words(
  'mp4a ac-3 ec-3 Opus fLaC alac samr sawb lpcm sowt twos in24 in32 fl32 fl64 ulaw alaw ima4 ipcm fpcm raw .mp3 ms\0\x11 ms\0\x02 NONE',
);
export const uncompressedFormats = words('lpcm sowt twos in24 in32 fl32 fl64 raw NONE');
/** With the length of their fixed fields; stpp and stxt have only texts, such as the language of a schema. */
export const textFormats: Readonly<Record<string, number>> = {
  tx3g: 38,
  wvtt: 8,
  stpp: 200,
  c608: 8,
  c708: 8,
};

/** Zero behind the end of the file. */
export const numberAt = (bytes: Buffer, at: number): number =>
  at + 4 <= bytes.length ? bytes.readUInt32BE(at) : 0;

/** Of the fields in front of the boxes of a format; undefined for one that is not known. */
export function fixedLengthOf(bytes: Buffer, { type, start, end }: Box): number | undefined {
  if (videoFormats.has(type)) return 78;
  if (type in textFormats) return textFormats[type];
  if (!soundFormats.has(type) || start + 10 > end) return undefined;
  return [28, 44, 64][bytes.readUInt16BE(start + 8)];
}

export function knowsFormats(bytes: Buffer, { start, end }: Box): boolean {
  for (const box of readBoxes(bytes, start + 8, end))
    if (fixedLengthOf(bytes, box) === undefined) return false;
  return true;
}

/** QuickTime counts the samples of a sound one by one, and says elsewhere how many bytes they have. */
export function sizeOfChunk(
  bytes: Buffer,
  table: Box,
  usualSize: number,
  samples: number,
  format: number,
): number {
  const formats = find(bytes, table, 'stsd');
  const entries = formats ? [...readBoxes(bytes, formats.start + 8, formats.end)] : [];
  const entry = entries[Math.max(0, format - 1)];
  if (!entry || !soundFormats.has(entry.type)) return usualSize * samples;
  const { start, type } = entry;
  const fixedLength = fixedLengthOf(bytes, entry);
  const [perPacket, bytesOfPacket] = [numberAt(bytes, start + 28), numberAt(bytes, start + 36)];
  if (fixedLength === 44 && perPacket > 0 && bytesOfPacket > 0)
    return Math.ceil(samples / perPacket) * bytesOfPacket;
  const [channels, bits] = [numberAt(bytes, start + 16) >>> 16, numberAt(bytes, start + 16) & 0xffff];
  const bytesOfSample = fixedLength === 64 ? numberAt(bytes, start + 56) : channels * Math.ceil(bits / 8);
  return samples * (uncompressedFormats.has(type) ? Math.max(usualSize, bytesOfSample) : usualSize);
}

/** How a track in H.264 or H.265 divides its samples; undefined for other codecs. */
export function readNalFormat(bytes: Buffer, formats: Box): NalFormat | undefined {
  for (const format of readBoxes(bytes, formats.start + 8, formats.end)) {
    const within = { ...format, start: format.start + 78 };
    const [avc, hevc] = [find(bytes, within, 'avcC'), find(bytes, within, 'hvcC')];
    if (avc && avc.start + 5 <= avc.end)
      return { codec: 'avc', lengthBytes: (bytes.readUInt8(avc.start + 4) & 3) + 1 };
    if (hevc && hevc.start + 22 <= hevc.end)
      return { codec: 'hevc', lengthBytes: (bytes.readUInt8(hevc.start + 21) & 3) + 1 };
  }
  return undefined;
}
