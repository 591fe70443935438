// Blanks the metadata that phones write into MP4 and QuickTime videos, such as the place and the time of recording, also
// where a track of its own records the place many times. Boxes keep their lengths, so that offsets in the file stay valid.

const metadataBoxes = ['udta', 'meta', 'uuid'];
const containerBoxes = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'moof', 'traf'];
/** Their first fields are two times. */
const timedBoxes = ['mvhd', 'tkhd', 'mdhd'];
/** Tracks for viewers and listeners. Other tracks are read by programs only: places, movements, settings of the camera. */
const shownHandlers = ['vide', 'soun', 'subt', 'sbtl', 'text', 'clcp', 'auxv', 'pict', 'tmcd'];

interface Box {
  readonly type: string;
  readonly at: number;
  readonly start: number;
  readonly end: number;
}

/** A malformed part is left as it is: we do not read it in any other way. */
export function blankVideo(bytes: Buffer): void {
  blankBoxes(bytes, 0, bytes.length, 0);
}

function* readBoxes(bytes: Buffer, start: number, limit: number): Generator<Box> {
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

/** Players find nothing in boxes that are nested deeper than any format has them. */
const maxDepth = 12;

function blankBoxes(bytes: Buffer, start: number, limit: number, depth: number): void {
  if (depth > maxDepth) return;
  for (const box of readBoxes(bytes, start, limit)) {
    const isHidden = box.type === 'trak' && isHiddenTrack(bytes, box);
    if (isHidden) blankSamples(bytes, box);
    if (isHidden || metadataBoxes.includes(box.type)) {
      bytes.write('free', box.at + 4, 'latin1');
      bytes.fill(0, box.start, box.end);
    } else if (timedBoxes.includes(box.type) && box.start + 20 <= box.end)
      bytes.fill(0, box.start + 4, box.start + (bytes[box.start] === 1 ? 20 : 12));
    else if (containerBoxes.includes(box.type)) blankBoxes(bytes, box.start, box.end, depth + 1);
  }
}

function find(bytes: Buffer, parent: Box | undefined, type: string): Box | undefined {
  if (!parent) return undefined;
  for (const box of readBoxes(bytes, parent.start, parent.end)) if (box.type === type) return box;
  return undefined;
}

function isHiddenTrack(bytes: Buffer, track: Box): boolean {
  const handler = find(bytes, find(bytes, track, 'mdia'), 'hdlr');
  if (!handler || handler.start + 12 > handler.end) return false;
  return !shownHandlers.includes(bytes.toString('latin1', handler.start + 8, handler.start + 12));
}

/** Overwrites the samples of a track: chunks are at the positions in `stco`, `stsc` says how many samples each has. */
function blankSamples(bytes: Buffer, track: Box): void {
  const table = find(bytes, find(bytes, find(bytes, track, 'mdia'), 'minf'), 'stbl');
  const [sizes, groups] = [find(bytes, table, 'stsz'), find(bytes, table, 'stsc')];
  const [offsets, longOffsets] = [find(bytes, table, 'stco'), find(bytes, table, 'co64')];
  const chunks = offsets ?? longOffsets;
  if (!sizes || !groups || !chunks) return;
  const number = (box: Box, index: number) => {
    const at = box.start + 4 + index * 4;
    return at + 4 <= box.end ? bytes.readUInt32BE(at) : 0;
  };
  const sizeOf = (sample: number) => number(sizes, 0) || number(sizes, 2 + sample);
  const positionOf = (chunk: number) =>
    offsets
      ? number(chunks, 1 + chunk)
      : number(chunks, 1 + chunk * 2) * 2 ** 32 + number(chunks, 2 + chunk * 2);
  const [chunkCount, groupCount] = [number(chunks, 0), number(groups, 0)];
  const [maxChunks, sampleCount] = [(chunks.end - chunks.start) / 4, number(sizes, 1)];
  let [group, sample] = [0, 0];
  for (let chunk = 0; chunk < Math.min(chunkCount, maxChunks); chunk++) {
    while (group + 1 < groupCount && number(groups, 1 + (group + 1) * 3) <= chunk + 1) group += 1;
    const last = Math.min(sample + number(groups, 2 + group * 3), sampleCount);
    let position = positionOf(chunk);
    for (; sample < last && position < bytes.length; sample++) {
      bytes.fill(0, position, Math.min(position + sizeOf(sample), bytes.length));
      position += sizeOf(sample);
    }
  }
}
