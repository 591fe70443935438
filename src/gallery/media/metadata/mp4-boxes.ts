// The boxes of MP4 and QuickTime files: a length, a type and a content. These lists say which of them players need.

export const containers = words('moov trak mdia minf stbl moof traf mvex edts dinf mfra tapt wave');
/** Of fixed length, or only numbers. */
export const copied = words(
  'ftyp styp sidx mfhd tfhd tfdt trun trex mehd vmhd smhd nmhd sthd gmin stsz stz2 cslg sdtp sgpd sbgp subs tfra mfro clef ' +
    'prof enof btrt pasp clap fiel gama avcC av1C vpcC esds dOps dac3 dec3 damr alac chan chnl pcmC frma mp4a enda dvcC dvvC ' +
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
