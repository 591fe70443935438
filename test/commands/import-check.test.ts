// `import --check` lists what is wrong with a dump, and imports nothing.

import { expect, test } from 'bun:test';
import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { vitrine } from '../support/server.ts';
import { ada, contentOf, contributor, dump, project } from '../support/site.ts';

function writeDump(...lines: string[]): string {
  const path = temporaryPath('dump.ndjson');
  writeFileSync(path, dump(...lines));
  return path;
}

const rating = (id: number, by: number) =>
  `{"type":"rating","project":${id},"contributor":${by},"value":5,"created":"2024-01-01T00:00:00Z","modified":"2024-01-01T00:00:00Z"}`;
const hash = new Bun.CryptoHasher('sha256').update('x').digest('hex');
const notes = (id: number) =>
  `{"type":"media","project":${id},"number":1,"position":1,"media_type":"text/plain","name":"x.txt","alt":"","sizes":[{"hash":"${hash}","bytes":1,"width":null,"height":null}]}`;

onBothDatabases((kind) => {
  test('all broken and unusual lines are listed with their numbers, and nothing is imported', async () => {
    const database = await emptyGallery(kind);
    const files = temporaryPath('files');
    const options = ['--database', database, '--files', files];
    await vitrine('import', writeDump(contributor(9, 'zoe')), ...options);
    const path = writeDump(
      ada,
      contributor(2, 'ada'),
      project(1, { title: ' A\u0007 ', tags: ['a', 'A'], rating_count: 1, rating_sum: 9 }),
      '{"type":',
      project(2, { contributor: 7 }),
      project(3, { contributor: 9, trashed: '2024-01-01T00:00:00Z', title: ' B' }),
      project(4, { uuid: 'uuid000000000000000001' }),
      project(5, { contributor: 8 }),
      project(6, { content_type: 'comment', parent: 6 }),
      rating(1, 9),
      rating(2, 9),
      notes(1),
      `{"type":"bytes","hash":"${hash}","of":1,"at":0,"base64":"${btoa('x')}"}`,
      notes(3).replaceAll(hash, 'f'.repeat(64)),
      '{"type":"robot"}',
    );

    const checked = await vitrine('import', '--check', path, ...options);
    expect({ ...checked, out: checked.out.replaceAll(path, 'dump').split('\n') }).toEqual({
      code: 1,
      error: '',
      out: [
        'dump:2: broken: username: ada already belongs to id 1.',
        'dump:3: unusual: title: Control characters are not allowed.',
        'dump:3: unusual: tags: Some are the same tag.',
        'dump:3: unusual: title: It has spaces around it.',
        'dump:3: unusual: rating_sum: Ratings are from 1 to 5.',
        'dump:4: broken: is not JSON.',
        'dump:5: broken: contributor: there is no contributor 7.',
        'dump:6: unusual: title: It has spaces around it.',
        'dump:6: unusual: trashed_by: Only moderators will be able to restore it.',
        'dump:7: broken: uuid: uuid000000000000000001 already belongs to id 1.',
        'dump:8: broken: contributor: there is no contributor 8.',
        'dump:11: broken: project: there is no project 2.',
        `dump:14: broken: sizes: the bytes of ${'f'.repeat(64)} have not come.`,
        expect.stringMatching(/^dump:15: broken: type: must be one of change_archive, change, contributor, /),
        'dump: broken: the comment 6 would be a reply to its own reply.',
        'dump: 9 broken, 6 unusual.',
        '',
      ],
    });
    expect(contentOf((await vitrine('export', '-', ...options)).out)).toBe(dump(contributor(9, 'zoe')));
    expect(
      existsSync(files)
        ? readdirSync(files, { recursive: true }).filter((name) => /[0-9a-f]{64}/.test(String(name)))
        : [],
    ).toEqual([]);
  });

  test('a hundred lines are listed, broken ones before unusual ones', async () => {
    const database = await emptyGallery(kind);
    const unusual = Array.from({ length: 150 }, (_, index) => project(index + 1, { title: ' x' }));
    const check = async (...lines: string[]) => {
      const { code, out } = await vitrine('import', '--check', writeDump(...lines), '--database', database);
      const listed = out
        .trimEnd()
        .split('\n')
        .map((line) => line.replace(/^\S*?dump\.ndjson:/, ''));
      return [code, listed.length, listed.at(0), listed.at(-1)];
    };

    expect(await check(ada, ...unusual, '{}')).toEqual([
      1,
      101,
      '2: unusual: title: It has spaces around it.',
      ' 1 broken, 150 unusual. The first 100 are listed.',
    ]);
    expect(await check(ada, ...Array.from({ length: 150 }, () => '{}'))).toEqual([
      1,
      101,
      expect.stringMatching(/^2: broken: type: must be one of/),
      ' 100 broken, 0 unusual. The check ended there.',
    ]);
    expect(await check(ada, project(1))).toEqual([0, 1, ' All is well.', ' All is well.']);
  });
});
