// docs/dump.schema.json describes the lines of real dumps.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020 from 'ajv/dist/2020';
import { loadDumpSchema } from '../../src/features/export-import/import.ts';
import { loadLineKinds } from '../../src/projects/dump/line-kinds.ts';
import { person } from '../support/person.ts';
import { ada, dump, exportAll, project, siteOn } from '../support/site.ts';

const read = (path: string) => readFileSync(join(import.meta.dir, '../..', path), 'utf8');
const isValid = new Ajv2020({ strict: false, validateFormats: false }).compile(
  JSON.parse(read('docs/dump.schema.json')),
);
const typeOf = (line: string) => JSON.parse(line).type as string;

test('the schema in docs/ is that of the program', async () => {
  expect(JSON.parse(read('docs/dump.schema.json'))).toEqual(
    JSON.parse(JSON.stringify(await loadDumpSchema())),
  );
});

test('every line of real dumps matches the schema, and there are lines of all kinds', async () => {
  const site = await siteOn('SQLite', { dump: read('src/features/demo/gallery.ndjson') });
  const moderator = await person(site, 'sione', { role: 'moderator' });
  await moderator.patch('/api/v1/projects/60/', { title: 'Another title', history: 'public' });
  await moderator.delete('/api/v1/projects/60/');
  const texts = [
    await exportAll(site),
    ...['gallery', 'people', 'archive'].map((name) => read(`test/exchanges/${name}.ndjson`)),
    [...read('docs/dump.md').matchAll(/^\{"type":.*$/gm)].join('\n'),
    dump(ada, project(1, { title: '\ufeff \u0007', tags: ['a', 'A'] })),
  ];
  const lines = texts.flatMap((text) => text.trimEnd().split('\n'));

  expect(lines.filter((line) => !isValid(JSON.parse(line))).map((line) => line.slice(0, 200))).toEqual([]);
  const types = new Set(lines.map(typeOf));
  expect((await loadLineKinds()).map(({ format }) => format.type).filter((type) => !types.has(type))).toEqual(
    [],
  );
});

test('lines that an import refuses do not match the schema', () => {
  const line = JSON.parse(project(1)) as Record<string, unknown>;
  const { karma, ...withoutKarma } = line;
  const wrong = [
    {},
    withoutKarma,
    { ...line, karma: String(karma) },
    { ...line, mood: 1 },
    { ...line, id: 0 },
    { ...line, uuid: 'no uuid' },
    { ...line, visibility: 'secret' },
    { ...line, trashed: null },
    { type: 'vitrine-dump', version: 1 },
    { type: 'own-data', contributor: 1 },
  ];
  expect(wrong.filter((value) => isValid(value))).toEqual([]);
});
