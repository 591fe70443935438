// The boxes of MP4 and QuickTime files: a length, a type and a content. These lists say which of them players need.

import type { NalFormat } from './nal-units.ts';

export const containers = words('moov trak mdia minf stbl moof traf mvex edts dinf mfra tapt wave');
/** Of fixed length, or only numbers. */
export const copied = words(
  'ftyp styp sidx mfhd tfhd tfdt trun trex mehd vmhd smhd nmhd sthd gmin stsz stz2 cslg sdtp sgpd sbgp subs tfra mfro clef ' +
    'prof enof btrt pasp clap fiel gama avcC av1C vpcC dOps dac3 dec3 damr alac chan chnl pcmC frma mp4a enda dvcC dvvC ' +
    'mdcv clli d263 vttC srat lhvC SmDm CoLL \0\0\0\0',
);
/** Tables: the bytes of an entry. Nothing behind the last one is kept. */
export const tables: Readonly<Record<string, number>> = {
  stts: 8,
  ctts: 8,
  stss: 4,
  stsc: 12,
  stco: 4,
  co64: 8,
};
/** Their first fields are two times. */
export const timed = words('mvhd tkhd mdhd');
/** Other tracks are read by programs only: places, movements, settings of the camera, the time of day. */
export const shownHandlers = words('vide soun subt sbtl clcp');
export const requiredHandlers = words('vide soun');

export function words(text: string): ReadonlySet<string> {
  return new Set(text.split(' ').map((word) => word.padEnd(4)));
}

export interface Box {
  readonly type: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

export function* readBoxes(bytes: Buffer, start: number, limit: number): Generator<Box> {
  for (let at = start; at + 8 <= limit; ) {
    const type = bytes.toString('latin1', at + 4, at + 8);
    const hasLongSize = bytes.readUInt32BE(at) === 1 && at + 16 <= limit;
    const headerLength = hasLongSize ? 16 : 8;
    const length = hasLongSize ? Number(bytes.readBigUInt64BE(at + 8)) : bytes.readUInt32BE(at) || limit - at;
    const end = at + length;
    if (length < headerLength || end > limit) return;
    yield { type, at, start: at + headerLength, end };
    at = end;
  }
}

export function find(bytes: Buffer, parent: Box | undefined, ...path: string[]): Box | undefined {
  const [type, ...rest] = path;
  if (!parent || type === undefined) return parent;
  for (const box of readBoxes(bytes, parent.start, parent.end))
    if (box.type === type) return find(bytes, box, ...rest);
  return undefined;
}

// The formats of pictures, sounds and subtitles in MP4 and QuickTime files, and how their samples are stored.

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

/** How a track in H.264, H.265 or MPEG-4 divides its samples; undefined for other codecs. */
export function readNalFormat(bytes: Buffer, formats: Box): NalFormat | undefined {
  for (const format of readBoxes(bytes, formats.start + 8, formats.end)) {
    if (format.type === 'mp4v') return { codec: 'mpeg4', lengthBytes: 0 };
    const within = { ...format, start: format.start + 78 };
    const [avc, hevc] = [find(bytes, within, 'avcC'), find(bytes, within, 'hvcC')];
    if (avc && avc.start + 5 <= avc.end)
      return { codec: 'avc', lengthBytes: (bytes.readUInt8(avc.start + 4) & 3) + 1 };
    if (hevc && hevc.start + 22 <= hevc.end)
      return { codec: 'hevc', lengthBytes: (bytes.readUInt8(hevc.start + 21) & 3) + 1 };
  }
  return undefined;
}
