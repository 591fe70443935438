// Reads the dump of a backup without a database: whether it is whole, its counts of lines, and the files that it needs.

import { isJsonObject, parseJson } from '../../common/json.ts';
import { splitLines } from '../../gallery/split-lines.ts';
import { DumpFrame, firstLine, type LastLine, lastLine } from '../dump/frame.ts';
import { RefusedLine } from '../dump/problems.ts';

export interface DumpContent {
  readonly lines: LastLine['lines'];
  /** The number of the last change. */
  readonly change: number;
  readonly files: ReadonlySet<string>;
}

const namesFiles = /^\{"type":"(?:media|avatar|site)"/;
/** In sizes, or at the beginning of the setting of a logo. */
const fileHashes = /"(?:hash|value)":"([0-9a-f]{64})(?![0-9a-f])/g;
const changeNumber = /^\{"type":"change","number":(\d+)/;

/** Most lines are not parsed: the manifest has the SHA-256 of the file. Throws RefusedLine. */
export async function readDumpContent(name: string, chunks: AsyncIterable<Uint8Array>): Promise<DumpContent> {
  const refuse = (lineNumber: number | undefined, reason: string): never => {
    throw new RefusedLine(name, lineNumber, reason);
  };
  const frame = new DumpFrame(refuse, (reason) => refuse(undefined, reason));
  const files = new Set<string>();
  let lines: DumpContent['lines'] = {};
  let change = 0;
  let lineNumber = 0;
  for await (const part of splitLines(chunks, refuse)) {
    for (const text of part.lines) {
      lineNumber++;
      frame.requireOpen(lineNumber);
      if (lineNumber === 1) {
        const first = parse(text, firstLine);
        if (typeof first === 'string') return refuse(1, first);
        frame.begin(1);
      } else if (text.startsWith(`{"type":"${lastLine.type}"`)) {
        const last = parse(text, lastLine);
        if (typeof last === 'string') return refuse(lineNumber, last);
        frame.end(lineNumber, last);
        lines = last.lines;
      } else if (namesFiles.test(text)) {
        for (const [, hash = ''] of text.matchAll(fileHashes)) files.add(hash);
      } else {
        change = Number(changeNumber.exec(text)?.[1] ?? change);
      }
    }
    frame.addBytes(part.bytes);
  }
  frame.finish();
  return { lines, change, files };
}

function parse<Line>(text: string, format: { parse(values: Record<string, unknown>): Line | string }) {
  const values = parseJson(text);
  return isJsonObject(values) ? format.parse(values) : 'is not JSON.';
}
