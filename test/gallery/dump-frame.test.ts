// The first and the last line of a dump: a file that was cut off or damaged is noticed, and nothing of it is imported.

import { expect, test } from 'bun:test';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { vitrine } from '../support/server.ts';
import { ada, contentOf, dump, exportAll, importInto, project, type Site, siteOn } from '../support/site.ts';
import { refusalOf } from '../support/waiting.ts';

const advice = 'If you have changed the file on purpose, delete its first and its last line.';
const isCutOff = `is cut off: its last line is missing. ${advice}`;
const isDamaged = `is damaged: its last line does not match the lines before it. ${advice}`;

const contentAt = async (site: Site) => contentOf(await exportAll(site));

test('the first line has the version, and the last line the number of lines and the SHA-256 of those before', async () => {
  const site = await siteOn('SQLite', { dump: dump(ada, project(1), project(2)) });
  const lines = (await exportAll(site)).trimEnd().split('\n');

  expect(lines[0]).toBe('{"type":"vitrine-dump","version":2}');
  const before = lines.slice(0, -1).map((line) => `${line}\n`);
  expect(JSON.parse(lines.at(-1) ?? '')).toEqual({
    type: 'end',
    lines: { change: 3, contributor: 1, project: 2 },
    sha256: new Bun.CryptoHasher('sha256').update(before.join('')).digest('hex'),
  });
});

onBothDatabases((kind) => {
  test('wherever a dump is cut off or a byte is changed, it is refused as a whole', async () => {
    const source = await siteOn(kind, { dump: dump(ada, ...[1, 2, 3].map((id) => project(id))) });
    const whole = await exportAll(source);
    const [first = '', ...others] = whole.split('\n');
    const contributor = whole.indexOf('{"type":"contributor"');
    const last = whole.indexOf('{"type":"end"');
    const site = await siteOn(kind);
    const broken: [text: string, reason: string][] = [
      [`${first}\n`, isCutOff],
      [whole.slice(0, contributor), isCutOff],
      [whole.slice(0, last), isCutOff],
      [whole.slice(0, last + 20), ':10: is not JSON.'],
      [whole.slice(0, contributor + 20), ':6: is not JSON.'],
      [whole.replace('Lovelace', 'Lovelage'), isDamaged],
      [whole.replaceAll('\n', '\r\n'), isDamaged],
      [
        whole.slice(0, contributor) + whole.slice(whole.indexOf('\n', contributor) + 1),
        'there is no contributor 1.',
      ],
      [others.join('\n'), `:9: the first line of this dump is missing. ${advice}`],
      [whole + dump(project(4)), ':11: comes after the last line of the dump.'],
      [whole + whole, ':11: comes after the last line of the dump.'],
      [dump(ada) + whole, ':2: must be the first line: a file is one dump.'],
    ];
    for (const [text, reason] of broken) {
      expect(await refusalOf(importInto(site, text))).toContain(reason);
      expect(await contentAt(site)).toBe('');
    }

    await importInto(site, whole);
    expect(await exportAll(site)).toBe(whole);
  });

  test('a dump of version 1, and one whose first and last lines were deleted, is imported', async () => {
    const whole = await exportAll(await siteOn(kind, { dump: dump(ada, project(1)) }));
    const site = await siteOn(kind);

    await importInto(site, whole.trimEnd().split('\n').slice(1, -1).join('\n'));
    expect(await exportAll(site)).toBe(whole);
    await importInto(site, dump(ada, project(1)).trimEnd());
    expect(await contentAt(site)).toBe(contentOf(whole));
  });
});

test('a dump longer than what is read at a time is recognized by all of its bytes', async () => {
  const texts = Array.from({ length: 40 }, (_, index) => project(index + 1, { text: 'x'.repeat(100_000) }));
  const whole = await exportAll(await siteOn('SQLite', { dump: dump(ada, ...texts) }));
  const site = await siteOn('SQLite');

  const middle = Math.floor(whole.length / 2);
  await expect(importInto(site, `${whole.slice(0, middle)}y${whole.slice(middle + 1)}`)).rejects.toThrow();
  await importInto(site, whole);
  expect((await exportAll(site)) === whole).toBe(true);
});

test('a dump of a later version is refused in one sentence with exit code 2', async () => {
  const path = temporaryPath('later.ndjson');
  await Bun.write(path, '{"type":"vitrine-dump","version":3,"compression":"none"}\n');

  expect(await vitrine('import', '--database', temporaryPath('gallery.sqlite'), path)).toEqual({
    code: 2,
    out: '',
    error: `vitrine: ${path}:1: is of version 3 of the dump, and this program reads versions up to 2: use a newer version of Vitrine. Nothing of this file was imported.\n`,
  });
});
