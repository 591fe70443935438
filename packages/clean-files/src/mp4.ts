// Writes an MP4 or QuickTime file of the same length that has only what is played: the boxes of these lists, and the samples of
// tracks that people see or hear. All else is zeros: phones and cameras hide places, names and times in many boxes, between
// the samples and behind the end. Nothing moves, so that offsets in the file stay valid.

import { InvalidFile } from './invalid-file.ts';
import {
  type Box,
  containers,
  copied,
  find,
  fixedLengthOf,
  knowsFormats,
  numberAt,
  readBoxes,
  readNalFormat,
  requiredHandlers,
  shownHandlers,
  sizeOfChunk,
  tables,
  textFormats,
  timed,
  videoFormats,
} from './mp4-boxes.ts';
import {
  blankEncoderNames,
  blankUserData,
  blankUserDataInHevcSettings,
  blankUserDataInMpeg4Settings,
  type NalFormat,
} from './nal-units.ts';

/** A recording of many hours in fragments of two seconds has as many. */
const maxBoxes = 100_000;
/** Players find nothing in boxes that are nested deeper than any format has them. */
const maxDepth = 12;

interface Track {
  /** Whether it has pictures, sounds or something else. */
  readonly handler: string;
  /** People see or hear it, and the format of its samples is known. */
  readonly isShown: boolean;
  /** How its samples are divided, if they can contain notes of programs. */
  readonly nal: NalFormat | undefined;
}

export const cleanMp4 = (bytes: Buffer): Buffer => new Mp4(bytes).clean();

class Mp4 {
  readonly #written: Buffer;
  readonly #media: Box[] = [];
  readonly #tracks = new Map<number, Track>();
  /** Of the samples of a fragment that does not say it itself, by track. */
  readonly #usualSizes = new Map<number, number>();
  /** Where the current fragment begins, and where the samples of its last track end. */
  #fragmentStart = 0;
  #fragmentEnd: number | undefined;
  #boxes = 0;
  #copied = 0;

  constructor(private readonly bytes: Buffer) {
    this.#written = Buffer.alloc(bytes.length);
  }

  clean(): Buffer {
    const boxes: Box[] = [];
    for (const box of readBoxes(this.bytes, 0, this.bytes.length)) {
      boxes.push(box);
      if (box.type === 'mdat') this.#media.push(box);
      if (boxes.length > maxBoxes) throw new InvalidFile('brokenFile');
    }
    if (!boxes.some(({ type }) => type === 'moov')) throw new InvalidFile('brokenFile');
    this.#writeBoxes(boxes, 0);
    this.#requireShown();
    blankEncoderNames(this.#written);
    // Bytes behind the last box are of no use to players.
    return this.#written.subarray(0, boxes.at(-1)?.end);
  }

  /** A phone may record a sound in two formats; a file whose only sound is unknown would have none. */
  #requireShown(): void {
    const tracks = [...this.#tracks.values()];
    const isShownAs = (handler: string) => tracks.some((track) => track.isShown && track.handler === handler);
    if (tracks.some(({ handler }) => requiredHandlers.has(handler) && !isShownAs(handler)))
      throw new InvalidFile('unknownPart');
    if (!tracks.some(({ isShown }) => isShown)) throw new InvalidFile('brokenFile');
  }

  #copy(start: number, end: number): void {
    this.bytes.copy(this.#written, start, start, end);
  }

  #writeBoxes(boxes: Iterable<Box>, depth: number): void {
    if (depth > maxDepth) throw new InvalidFile('brokenFile');
    for (const box of boxes) {
      if (++this.#boxes > maxBoxes) throw new InvalidFile('brokenFile');
      this.#copy(box.at, box.start);
      if (!this.#writeContent(box, depth)) this.#written.write('free', box.at + 4, 'latin1');
    }
  }

  #writeChildren(parent: Box, start: number, depth: number): void {
    this.#writeBoxes(readBoxes(this.bytes, start, parent.end), depth + 1);
  }

  /** False if nothing of it stays. */
  #writeContent(box: Box, depth: number): boolean {
    const { type, start, end } = box;
    if (type === 'moof') [this.#fragmentStart, this.#fragmentEnd] = [box.at, undefined];
    if (type === 'trak' && !this.#readTrack(box)) return false;
    if (type === 'traf' && !this.#writeFragment(box)) return false;
    if (containers.has(type)) this.#writeChildren(box, start, depth);
    else if (copied.has(type)) this.#copy(start, end);
    else if (tables[type] !== undefined) this.#copyTable(box, tables[type]);
    else if (timed.has(type)) {
      this.#copy(start, end);
      this.#written.fill(0, start + 4, Math.min(end, start + (this.bytes[start] === 1 ? 20 : 12)));
    } else return this.#writeSpecial(box, depth);
    if (type === 'trex') this.#usualSizes.set(this.#number(start + 4), this.#number(start + 16));
    return true;
  }

  #writeSpecial(box: Box, depth: number): boolean {
    const { type, start, end } = box;
    // Its samples are copied with their tables.
    if (type === 'mdat') return true;
    // The name behind the type of a handler is that of a program or a device.
    else if (type === 'hdlr') this.#copy(start, Math.min(start + 12, end));
    else if (type === 'elst') this.#copyTable(box, this.bytes[start] === 1 ? 20 : 12);
    // Numbers of a colour space; a profile has texts.
    else if (type === 'colr' && /^ncl[cx]$/.test(this.bytes.toString('latin1', start, start + 4)))
      this.#copy(start, Math.min(end, start + 11));
    // The first block has the numbers for the decoder, the others are tags.
    else if (type === 'dfLa') {
      this.#copy(start, Math.min(end, start + 42));
      this.#written[start + 4] = 0x80;
    } else if (type === 'hvcC') {
      this.#copy(start, end);
      blankUserDataInHevcSettings(this.#written.subarray(start, end));
    } else if (type === 'esds') {
      this.#copy(start, end);
      blankUserDataInMpeg4Settings(this.#written.subarray(start, end));
    } else if (type === 'dref') this.#writeReferences(box);
    else if (type === 'stsd') this.#writeFormats(box, depth);
    else return false;
    return true;
  }

  #copyTable({ start, end }: Box, entryBytes: number): void {
    this.#copy(start, Math.min(end, start + 8 + this.#number(start + 4) * entryBytes));
  }

  /** The media are in this file; a reference to another one has its path. */
  #writeReferences({ start, end }: Box): void {
    this.#copy(start, Math.min(start + 8, end));
    for (const box of readBoxes(this.bytes, start + 8, end)) {
      this.#copy(box.at, box.start);
      this.#written.write('url ', box.at + 4, 'latin1');
      if (box.start + 4 <= box.end) this.#written.writeUInt32BE(1, box.start);
    }
  }

  #writeFormats({ start, end }: Box, depth: number): void {
    this.#copy(start, Math.min(start + 8, end));
    for (const box of readBoxes(this.bytes, start + 8, end)) {
      const children = Math.min(box.start + (fixedLengthOf(this.bytes, box) ?? 0), box.end);
      this.#copy(box.at, children);
      // The maker of the encoder, and its name.
      if (!(box.type in textFormats)) this.#written.fill(0, box.start + 12, box.start + 16);
      if (videoFormats.has(box.type)) this.#written.fill(0, box.start + 42, box.start + 74);
      this.#writeChildren(box, children, depth);
    }
  }

  /** Copies its samples. False for a track that nobody sees or hears. */
  #readTrack(track: Box): boolean {
    const { bytes } = this;
    const media = find(bytes, track, 'mdia');
    const [handler, header] = [find(bytes, media, 'hdlr'), find(bytes, track, 'tkhd')];
    if (!handler || !header || handler.start + 12 > handler.end) return false;
    const kind = bytes.toString('latin1', handler.start + 8, handler.start + 12);
    const table = find(bytes, media, 'minf', 'stbl');
    const formats = find(bytes, table, 'stsd');
    const isShown = shownHandlers.has(kind) && formats !== undefined && knowsFormats(bytes, formats);
    const nal = isShown ? readNalFormat(bytes, formats) : undefined;
    const id = this.#number(header.start + (bytes[header.start] === 1 ? 20 : 12));
    this.#tracks.set(id, { handler: kind, isShown, nal });
    if (isShown && table) this.#copyChunks(table, nal);
    return isShown;
  }

  #number(at: number): number {
    return numberAt(this.bytes, at);
  }

  /** Chunks are at the positions in `stco` or `co64`, `stsc` says how many samples each has. */
  #copyChunks(table: Box, nal: NalFormat | undefined): void {
    const [sizes, groups] = [find(this.bytes, table, 'stsz'), find(this.bytes, table, 'stsc')];
    const [offsets, longOffsets] = [find(this.bytes, table, 'stco'), find(this.bytes, table, 'co64')];
    const chunks = offsets ?? longOffsets;
    // A fragmented file has its samples in fragments.
    if (!chunks || this.#number(chunks.start + 4) === 0) return;
    if (!sizes || !groups) throw new InvalidFile('brokenFile');
    const number = (box: Box, index: number) => {
      const at = box.start + 4 + index * 4;
      return at + 4 <= box.end ? this.#number(at) : 0;
    };
    const usualSize = number(sizes, 0);
    const positionOf = (chunk: number) =>
      offsets
        ? number(chunks, 1 + chunk)
        : number(chunks, 1 + chunk * 2) * 2 ** 32 + number(chunks, 2 + chunk * 2);
    const [chunkCount, groupCount] = [number(chunks, 0), number(groups, 0)];
    const maxChunks = (chunks.end - chunks.start) / 4;
    const sampleCount = usualSize
      ? number(sizes, 1)
      : Math.min(number(sizes, 1), (sizes.end - sizes.start) / 4 - 3);
    let [group, sample] = [0, 0];
    for (let chunk = 0; chunk < Math.min(chunkCount, maxChunks) && sample < sampleCount; chunk++) {
      while (group + 1 < groupCount && number(groups, 1 + (group + 1) * 3) <= chunk + 1) group += 1;
      const samples = Math.min(number(groups, 2 + group * 3), sampleCount - sample);
      const format = number(groups, 3 + group * 3);
      const position = positionOf(chunk);
      if (usualSize > 0 && !nal)
        this.#copySample(position, sizeOfChunk(this.bytes, table, usualSize, samples, format), undefined);
      else
        for (let [index, at] = [0, position]; index < samples; index++) {
          const size = usualSize || number(sizes, 2 + sample + index);
          this.#copySample(at, size, nal);
          at += size;
        }
      sample += samples;
    }
  }

  #copySample(at: number, size: number, nal: NalFormat | undefined): void {
    if (size === 0) return;
    this.#copied += size;
    // Only an attack names its samples many times.
    if (!this.#isInMedia(at, at + size) || this.#copied > 2 * this.bytes.length)
      throw new InvalidFile('brokenFile');
    this.#copy(at, at + size);
    if (nal) blankUserData(this.#written.subarray(at, at + size), nal);
  }

  #isInMedia(start: number, end: number): boolean {
    let [low, high] = [0, this.#media.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#media[middle]?.start ?? 0) <= start) low = middle + 1;
      else high = middle;
    }
    const media = this.#media[low - 1];
    return media !== undefined && end <= media.end;
  }

  /** Copies the samples of a fragment. False if its track is not shown. */
  #writeFragment(fragment: Box): boolean {
    const header = find(this.bytes, fragment, 'tfhd');
    if (!header) throw new InvalidFile('brokenFile');
    const flags = this.#number(header.start);
    const id = this.#number(header.start + 4);
    const track = this.#tracks.get(id);
    let at = header.start + 8;
    const next = (isThere: number, length: number) => {
      if (isThere === 0) return undefined;
      at += length;
      return this.#number(at - 4);
    };
    const explicitBase = next(flags & 1, 8);
    next(flags & 2, 4);
    next(flags & 8, 4);
    const usualSize = next(flags & 16, 4) ?? this.#usualSizes.get(id) ?? 0;
    const isBehindOthers = (flags & 0x20000) === 0 && this.#fragmentEnd !== undefined;
    const base = explicitBase ?? (isBehindOthers ? this.#fragmentEnd : undefined) ?? this.#fragmentStart;
    let position = base;
    for (const run of readBoxes(this.bytes, fragment.start, fragment.end)) {
      if (run.type !== 'trun') continue;
      const runFlags = this.#number(run.start);
      const count = this.#number(run.start + 4);
      at = run.start + 8;
      const offset = next(runFlags & 1, 4);
      if (offset !== undefined) position = base + (offset | 0);
      next(runFlags & 4, 4);
      for (let sample = 0; sample < count; sample++) {
        next(runFlags & 0x100, 4);
        const size = next(runFlags & 0x200, 4) ?? usualSize;
        next(runFlags & 0x400, 4);
        next(runFlags & 0x800, 4);
        if (at > run.end || size === 0 || position > this.bytes.length) throw new InvalidFile('brokenFile');
        if (track?.isShown) this.#copySample(position, size, track.nal);
        position += size;
      }
    }
    this.#fragmentEnd = position;
    return track?.isShown === true;
  }
}
