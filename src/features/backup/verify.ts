// Verifies a backup without a server and without a database: nothing is missing, damaged or changed.

import type { KeyObject } from 'node:crypto';
import { errorCode, OperatorError } from '#common/errors.ts';
import { isJsonObject, parseJson } from '#common/json.ts';
import { DumpFrame, firstLine, type LastLine, lastLine } from '../../core/dump/frame.ts';
import { RefusedLine } from '../../core/dump/problems.ts';
import { splitLines } from '../../core/dump/split-lines.ts';
import { type FileDigest, hashStream } from '../../core/files/hash.ts';
import { decompress } from '../export-import/dump-file.ts';
import { type BackedUpFile, forEachFile } from './copy-files.ts';
import { fileNames, isSignedBy, type Manifest } from './manifest.ts';
import type { BackupPlace } from './place.ts';
import { readList, readManifest, readSmall } from './read-backup.ts';

const maxListed = 100;

/** Sentences about what is wrong. The first hundred are kept. */
class Problems {
  readonly sentences: string[] = [];
  count = 0;

  add(sentence: string): void {
    this.count++;
    if (this.sentences.length < maxListed) this.sentences.push(sentence);
  }
}

export interface Verification {
  readonly problems: Problems;
  /** Undefined if it cannot be read. */
  readonly manifest: Manifest | undefined;
  /** The uploaded files that are as they should be. */
  readonly files: readonly BackedUpFile[];
  readonly hasSignature: boolean;
}

export async function verifyBackup(
  place: BackupPlace,
  backup: string,
  publicKey?: KeyObject,
): Promise<Verification> {
  const problems = new Problems();
  const signature = await readSmall(place, backup, fileNames.signature);
  const nothing = { problems, manifest: undefined, files: [], hasSignature: signature !== undefined };
  const read = await readManifest(place, backup);
  if (!read) {
    problems.add(`${fileNames.manifest} is missing: the backup is not finished.`);
    return nothing;
  }
  const { bytes, manifest } = read;
  if (publicKey && !signature) problems.add(`${fileNames.signature} is missing: the backup is not signed.`);
  else if (publicKey && signature && !isSignedBy(bytes, signature, publicKey))
    problems.add(`${fileNames.manifest} was changed, or signed with another key.`);
  if (typeof manifest === 'string') {
    problems.add(`${fileNames.manifest} cannot be used: ${manifest}`);
    return nothing;
  }
  const list = await readList(place, backup);
  if (!list) problems.add(`${fileNames.list} is missing.`);
  else if (!list.isIntact || list.sha256 !== manifest.list_sha256 || list.names.size !== manifest.file_count)
    problems.add(`${fileNames.list} is damaged: it is not the list that the manifest describes.`);
  const content = await verifyDump(place, backup, manifest, problems);
  const hashes = new Set([...(list?.names ?? []), ...(content?.files ?? [])]);
  for (const { hash } of manifest.missing) hashes.delete(hash);
  return { ...nothing, manifest, files: await verifyFiles(place, hashes, problems) };
}

/** Undefined, after a sentence, if the dump is missing or damaged. */
async function verifyDump(place: BackupPlace, backup: string, manifest: Manifest, problems: Problems) {
  const size = await place.size(backup, fileNames.dump);
  if (size === undefined) {
    problems.add(`${fileNames.dump} is missing.`);
    return undefined;
  }
  const digest = await hashStream(place.stream(backup, fileNames.dump, size));
  if (digest.bytes !== manifest.dump_bytes || digest.sha256 !== manifest.dump_sha256) {
    problems.add(`${fileNames.dump} is damaged: its content is not what the manifest describes.`);
    return undefined;
  }
  try {
    const stream = place.stream(backup, fileNames.dump, size);
    const content = await readDumpContent(fileNames.dump, decompress(fileNames.dump, stream));
    if (!Bun.deepEquals(content.lines, manifest.lines) || content.change > manifest.change)
      problems.add(`${fileNames.dump} has other lines than the manifest says.`);
    return content;
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const reason = error instanceof RefusedLine ? error.reason : 'it cannot be decompressed.';
    problems.add(`${fileNames.dump} cannot be imported: ${reason}`);
    return undefined;
  }
}

/** Returns the files that are as they should be. */
async function verifyFiles(place: BackupPlace, hashes: ReadonlySet<string>, problems: Problems) {
  const files: BackedUpFile[] = [];
  await forEachFile(
    Array.from(hashes, (hash) => ({ hash, bytes: 0 })),
    async ({ hash }) => {
      const bytes = await place.files.size(hash);
      if (bytes === undefined) return problems.add(`The file ${hash} is missing.`);
      const digest = await hashContent(place, hash, bytes);
      if (typeof digest === 'string') problems.add(`The file ${hash} cannot be read: ${digest}.`);
      else if (digest.sha256 !== hash)
        problems.add(`The file ${hash} is damaged: its content is another one.`);
      else files.push({ hash, bytes });
    },
  );
  return files;
}

/** The code of the error if the disk cannot read it. */
async function hashContent(place: BackupPlace, hash: string, size: number): Promise<FileDigest | string> {
  try {
    const content = place.files.stream(hash, 0, size);
    return await hashStream(content instanceof Blob ? content.stream() : content);
  } catch (error) {
    const code = errorCode(error);
    if (code === undefined) throw error;
    return code;
  }
}

// Reads the dump of a backup without a database: whether it is whole, its counts of lines, and the files that it needs.

export interface DumpContent {
  readonly lines: LastLine['lines'];
  /** The number of the last change. */
  readonly change: number;
  readonly files: ReadonlySet<string>;
}

const namesFiles = /^\{"type":"(?:media|avatar|site|change_archive)"/;
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
