// Exports and imports of files that are compressed with Zstandard or gzip.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { vitrine } from '../support/server.ts';
import { ada, dump, project } from '../support/site.ts';

const [database, exported] = [temporaryPath('gallery.sqlite'), temporaryPath('out.ndjson.zst')];
let plain: string;

beforeAll(async () => {
  const source = temporaryPath('dump.ndjson');
  const projects = Array.from({ length: 300 }, (_, index) =>
    project(index + 1, { text: `Text ${index}. `.repeat(999) }),
  );
  writeFileSync(source, dump(ada, ...projects));
  await vitrine('import', source, '--database', database);
  expect(await vitrine('export', exported, '--database', database)).toMatchObject({ code: 0 });
  plain = (await vitrine('export', '-', '--database', database)).out;
});

test('a file whose name ends in .zst is compressed, and is imported as what it was', async () => {
  expect(Bun.zstdDecompressSync(readFileSync(exported)).toString() === plain).toBe(true);

  const copy = temporaryPath('copy.sqlite');
  expect(await vitrine('import', exported, '--database', copy)).toMatchObject({ code: 0 });
  expect((await vitrine('export', '-', '--database', copy)).out === plain).toBe(true);
});

test('a file whose name ends in .gz is compressed with gzip, and is imported as what it was', async () => {
  const file = temporaryPath('out.ndjson.gz');
  expect(await vitrine('export', file, '--database', database)).toMatchObject({ code: 0 });
  expect(gunzipSync(readFileSync(file)).toString() === plain).toBe(true);

  const copy = temporaryPath('copy.sqlite');
  expect(await vitrine('import', file, '--database', copy)).toMatchObject({ code: 0 });
  expect((await vitrine('export', '-', '--database', copy)).out === plain).toBe(true);
  writeFileSync(file, readFileSync(file).subarray(0, -9));
  expect(await vitrine('import', file, '--database', temporaryPath('other.sqlite'))).toEqual({
    code: 2,
    out: '',
    error: `vitrine: ${file} cannot be decompressed: it is cut off, damaged or no gzip file. Nothing of this file was imported.\n`,
  });
});

test('a compressed file that is cut off or damaged, or is none, is refused in one sentence', async () => {
  const whole = readFileSync(exported);
  const damaged = Buffer.from(whole).fill(0xff, 10_000, 10_020);
  const target = await emptyGallery('SQLite');
  const empty = (await vitrine('export', '-', '--database', target)).out;

  for (const content of [whole.subarray(0, -9), damaged, 'no zstd file', '']) {
    const path = temporaryPath('broken.ndjson.zst');
    writeFileSync(path, content);
    expect(await vitrine('import', path, '--database', target)).toEqual({
      code: 2,
      out: '',
      error: `vitrine: ${path} cannot be decompressed: it is cut off, damaged or no zstd file. Nothing of this file was imported.\n`,
    });
  }
  expect((await vitrine('export', '-', '--database', target)).out).toBe(empty);
});

test('a compressed export to a full disk fails, and does not wait for ever', async () => {
  const full = temporaryPath('full.zst');
  symlinkSync('/dev/full', full);

  const { code, error } = await vitrine('export', full, '--database', database);
  expect([code, error]).toEqual([2, `vitrine: The disk of ${full} is full.\n`]);
});
