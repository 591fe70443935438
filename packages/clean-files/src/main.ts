#!/usr/bin/env node
// `clean-files photo.jpg`: writes a copy of a file without what it tells about people.

import { readFileSync } from 'node:fs';
import { readFile, rm, stat, writeFile } from 'node:fs/promises';
import { basename, join, parse } from 'node:path';
import { cleanFile } from './clean-file.ts';
import { detectType } from './detect.ts';
import { InvalidFile } from './invalid-file.ts';

const help = `Usage: clean-files FILE [COPY]

Writes a copy of a file without what it tells about people: names, places, times, devices and programs.
The file itself stays as it is. Without COPY, the copy of photo.jpg is photo.clean.jpg, beside it.

It knows JPEG, PNG, GIF, WebP, MP4, QuickTime, WebM, Ogg, MP3, WAV, M4A, FLAC, PDF, Word, Excel, PowerPoint,
OpenDocument, EPUB, ZIP, STL and GLB.

  --help     this text
  --version  the version

Examples:
  clean-files photo.jpg
  clean-files report.docx /tmp/report.docx

The exit code is 0 if the copy is written, 1 if the file cannot be cleaned, and 2 if the command cannot be run as given.
`;

/** As much as three times of it may be in memory. */
const maxBytes = 500_000_000;

/** One sentence for who ran the command. */
class CommandError extends Error {
  constructor(
    message: string,
    readonly exitCode = 2,
  ) {
    super(message);
  }
}

const reasons: Readonly<Record<string, string>> = {
  EACCES: 'check who may read and write there',
  EEXIST: 'something is there already',
  EISDIR: 'it is a folder',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of the path is a file',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
};

/** An error of the file system as one sentence; any other stays as it is. */
function toCommandError(action: string, error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  return new CommandError(`${action}: ${reasons[String(error.code)] ?? error.code}.`);
}

async function read(path: string): Promise<Buffer> {
  try {
    const { size } = await stat(path);
    if (size > maxBytes) throw new CommandError(`${path} is larger than ${maxBytes / 1_000_000} MB.`);
    return await readFile(path);
  } catch (error) {
    throw toCommandError(`${path} cannot be read`, error);
  }
}

/** Writes over nothing, and leaves no part of a copy. */
async function write(path: string, bytes: Uint8Array): Promise<void> {
  try {
    await writeFile(path, bytes, { flag: 'wx' });
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOSPC') await rm(path);
    throw toCommandError(`${path} cannot be written`, error);
  }
}

function nameCopy(path: string): string {
  const { dir, name, ext } = parse(path);
  return join(dir, `${name}.clean${ext}`);
}

async function clean(path: string, bytes: Uint8Array): Promise<Uint8Array> {
  try {
    const type = await detectType(bytes);
    if (type === undefined) throw new CommandError(`${path}: This kind of file is not known.`, 1);
    if (type.startsWith('text/') || type === 'application/x-uf2')
      throw new CommandError(`${path}: All of a text or a program is content, so nothing is taken out.`, 1);
    return (await cleanFile({ type, bytes, name: basename(path) })).bytes;
  } catch (error) {
    throw error instanceof InvalidFile ? new CommandError(`${path}: ${error.message}`, 1) : error;
  }
}

async function run(args: readonly string[]): Promise<string> {
  if (args.includes('--help') || args.includes('-h')) return help;
  if (args.includes('--version')) {
    const { version } = JSON.parse(readFileSync(new URL('../package.json', import.meta.url), 'utf8'));
    return `${version}\n`;
  }
  const option = args.find((arg) => arg.startsWith('-'));
  if (option !== undefined) throw new CommandError(`There is no option ${option}: see clean-files --help.`);
  const [path, copy = nameCopy(path ?? ''), ...more] = args;
  if (!path || more.length > 0)
    throw new CommandError('Name one file, and where its copy goes if not beside it.');
  await write(copy, await clean(path, await read(path)));
  return `${copy} is written.\n`;
}

try {
  process.stdout.write(await run(process.argv.slice(2)));
} catch (error) {
  if (!(error instanceof CommandError)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = error.exitCode;
}
