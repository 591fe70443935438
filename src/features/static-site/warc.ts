// The folder as a web archive (WARC 1.1, ISO 28500), for libraries and for programs that replay it.

import { createWriteStream } from 'node:fs';
import { readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { toFile } from './addresses.ts';
import type { WrittenFile } from './checkpoint.ts';

interface ArchiveOptions {
  readonly folder: string;
  readonly origin: string;
  readonly archived: Date;
}

/** Each record is compressed by itself, so that programs can read one without those before it. */
export async function writeWarc(
  path: string,
  files: Iterable<WrittenFile>,
  options: ArchiveOptions,
): Promise<void> {
  await pipeline(Readable.from(generateRecords(files, options)), createWriteStream(`${path}.new`));
  await rename(`${path}.new`, path);
}

async function* generateRecords(files: Iterable<WrittenFile>, { folder, origin, archived }: ArchiveOptions) {
  const date = `${archived.toISOString().slice(0, 19)}Z`;
  const about = 'software: Vitrine\r\nformat: WARC File Format 1.1\r\n';
  yield formatRecord({ type: 'warcinfo', date, contentType: 'application/warc-fields' }, Buffer.from(about));
  for (const { address, type } of files) {
    const body = await readFile(join(folder, toFile(address)));
    const head = `HTTP/1.1 200 OK\r\nContent-Type: ${type}\r\nContent-Length: ${body.length}\r\n\r\n`;
    const record = {
      type: 'response',
      date,
      contentType: 'application/http; msgtype=response',
      uri: origin + address,
    };
    yield formatRecord(record, Buffer.concat([Buffer.from(head), body]));
  }
}

interface RecordHeader {
  readonly type: string;
  readonly date: string;
  readonly contentType: string;
  readonly uri?: string;
}

function formatRecord({ type, date, contentType, uri }: RecordHeader, block: Buffer): Uint8Array {
  const lines = [
    'WARC/1.1',
    `WARC-Type: ${type}`,
    `WARC-Record-ID: <urn:uuid:${crypto.randomUUID()}>`,
    `WARC-Date: ${date}`,
    ...(uri ? [`WARC-Target-URI: ${uri}`] : []),
    `Content-Type: ${contentType}`,
    `Content-Length: ${block.length}`,
  ];
  return Bun.gzipSync(
    Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), block, Buffer.from('\r\n\r\n')]),
  );
}
