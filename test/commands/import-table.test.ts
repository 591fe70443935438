// Projects in a table, with files beside it.

import { expect, test } from 'bun:test';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { visitor } from '../support/person.ts';
import { jpeg } from '../support/pictures.ts';
import { vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { learnOfChanges } from '../support/waiting.ts';

const gallery = dump(
  ada,
  contributor(2, 'zoe', { first_name: 'Zoë', last_name: 'Ångström' }),
  contributor(3, 'pupil'),
  '{"type":"account","contributor":3,"role":"contributor","password":null,"disabled":null,"looked_after_by":7}',
  project(7, { content_type: 'collection', kind: 'class', visibility: 'unlisted' }),
);

/** More than people can write here. */
const manyTags = Array.from({ length: 30 }, (_, index) => `tag ${index}`).join(', ');

const table = `\ufeffTitel;Beschreibung;Autor;Datum;Schlagwörter;Foto;Lizenz;Raum
Drachen;"Er *fliegt*;
hoch";Zoë Ångström;31.5.2019;wind, papier;kite.jpg;CC BY-SA;7
Lampe 🪔;;"Berg, Nils";2020-02;;;;8
Brief;Liebe Ada;ada;2021-03-04 10:20;${manyTags};notes/brief.txt|kite.jpg;mit;8
`;

async function createFolder(): Promise<string> {
  const folder = temporaryPath('table');
  mkdirSync(join(folder, 'notes'), { recursive: true });
  writeFileSync(join(folder, 'projects.csv'), table);
  writeFileSync(join(folder, 'kite.jpg'), await jpeg(800, 600));
  writeFileSync(join(folder, 'notes/brief.txt'), 'Liebe Ada');
  return folder;
}

const run = ({ address, folder }: Site, file: string, ...more: string[]) =>
  vitrine('import-table', file, '--database', address, '--files', folder, ...more);

const members = 'title,text,contributor_name,created,tags,content_type,status';
const listOf = async (site: Site) => {
  await learnOfChanges(site);
  const answer = await visitor(site).get(
    `/api/v1/projects/?ordering=created&fields=${members},media,license`,
  );
  return (await answer.json()).results.map(({ media, ...record }: Record<string, unknown>) => ({
    ...record,
    files: (media as { name: string }[]).map(({ name }) => name),
  }));
};

onBothDatabases((kind) => {
  test('the projects of a table are imported once, with their makers, dates, tags, files and licences', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const file = join(await createFolder(), 'projects.csv');
    expect(await run(site, file, '--check')).toEqual({
      code: 0,
      out: '',
      error: 'Not used: the columns Raum.\n3 new projects, 0 exist already.\n',
    });
    expect(await listOf(site)).toEqual([]);
    const brought = await run(site, file, '--publish', '--names', 'full');
    expect(brought).toMatchObject({
      code: 0,
      error: expect.stringContaining('3 projects imported, 0 existed already.'),
    });
    const expected = [
      {
        ...{ title: 'Drachen', text: 'Er *fliegt*;\nhoch', contributor_name: 'Zoë Ångström' },
        ...{
          created: '2019-05-31T12:00:00.000000+00:00',
          tags: 'wind, papier',
          content_type: 'photo',
          status: 1,
        },
        ...{ license: 'CC-BY-SA-4.0', files: ['kite.webp'] },
      },
      {
        ...{
          title: 'Lampe 🪔',
          text: '',
          contributor_name: 'Nils Berg',
          created: '2020-02-01T12:00:00.000000+00:00',
        },
        ...{ tags: '', content_type: 'text', status: 1, license: null, files: [] },
      },
      {
        ...{ title: 'Brief', text: 'Liebe Ada', contributor_name: 'Ada Lovelace' },
        ...{
          created: '2021-03-04T10:20:00.000000+00:00',
          tags: manyTags,
          content_type: 'document',
          status: 1,
        },
        ...{ license: 'MIT', files: ['brief.txt', 'kite.webp'] },
      },
    ];
    expect(await listOf(site)).toEqual(expected);
    expect((await run(site, file, '--publish')).error).toContain('0 projects imported, 3 existed already.');
    expect(await listOf(site)).toEqual(expected);
    expect(await vitrine('check', '--database', site.address, '--files', site.folder)).toMatchObject({
      code: 0,
    });
  });

  test('every problem is named with its line, and then nothing is imported', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const folder = await createFolder();
    writeFileSync(temporaryPath('secret.txt'), 'secret');
    symlinkSync('/etc/passwd', join(folder, 'link.txt'));
    writeFileSync(
      join(folder, 'projects.csv'),
      [
        'title,name,date,file,license,type,tags',
        'Good,ada,,kite.jpg,,,',
        ',ada,,,,,',
        'No date,ada,5/4/2020,,,,',
        'No such day,ada,31.2.2020,,,,',
        'Missing,ada,,other.jpg,,,',
        'Outside,ada,,../secret.txt,,,',
        'Link,ada,,link.txt,,,',
        'Nobody,,,,,,',
        'Licence,ada,,,my own,,',
        'Type,ada,,,,poem,',
        'Good,ada,,kite.jpg,,,',
        `Long,ada,,,,,"${'x'.repeat(51)}"`,
        'Old,ada,1500-01-01,,,,',
        'Early,ada,0050-01-01,,,,',
        `Named,${'n'.repeat(200)},,,,,`,
        '"Two\nlines",,,,,,',
        `Many,ada,,${'kite.jpg|'.repeat(11)},,,`,
        'Set,ada,,,,collection,',
        'Of a pupil,pupil,,,,,',
      ].join('\r\n'),
    );
    const { code, error } = await run(site, join(folder, 'projects.csv'), '--publish');
    expect(code).toBe(1);
    const lines = error.split('\n').map((line) => line.replace(/^.*projects.csv, /, ''));
    expect(lines).toEqual([
      expect.stringMatching(/^line 3: title: /),
      'line 4: date: “5/4/2020” is no date that is understood: write 2024-05-31.',
      'line 5: date: “31.2.2020” is no date that is understood: write 2024-05-31.',
      `line 6: file: “other.jpg” is not in ${folder}.`,
      `line 7: file: “../secret.txt” is not in ${folder}.`,
      `line 8: file: “link.txt” is not in ${folder}.`,
      'line 9: name: The project has no name: --as says whose it is then.',
      expect.stringMatching(/^line 10: license: /),
      expect.stringMatching(/^line 11: content_type: /),
      'line 12: the same project is in line 2',
      expect.stringMatching(/^line 13: tags: /),
      'line 14: date: The year must be between 1700 and 2199.',
      'line 15: date: The year must be between 1700 and 2199.',
      expect.stringMatching(/^line 16: last_name: /),
      expect.stringMatching(/^line 17: title: /),
      'line 19: file: A project has at most 10 files.',
      'line 20: type: A table cannot have a collection.',
      'line 21: name: A class looks after this account: its projects can only be imported as drafts.',
      '0 projects imported, 0 existed already.',
      '18 problems: nothing was imported.',
      '',
    ]);
    expect(await listOf(site)).toEqual([]);
  });
});

test('a file that is broken leaves its project out, and comes when it is mended', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const folder = await createFolder();
  const file = join(folder, 'projects.csv');
  const whole = await jpeg(800, 600);
  writeFileSync(join(folder, 'kite.jpg'), whole.subarray(0, 500));
  writeFileSync(file, 'title,photo\nKite,kite.jpg\nLamp,\n');
  const checked = await run(site, file, '--as', 'ada', '--check');
  expect([checked.code, checked.error]).toEqual([1, expect.stringContaining('projects.csv, line 2: file: ')]);
  const { code, error } = await run(site, file, '--as', 'ada', '--publish');
  expect([code, error]).toEqual([
    1,
    expect.stringContaining('1 project imported, 0 existed already.\n1 problem.'),
  ]);
  writeFileSync(join(folder, 'kite.jpg'), whole);
  expect((await run(site, file, '--as', 'ada', '--publish')).error).toContain(
    '1 project imported, 1 existed already.',
  );
  expect((await listOf(site)).map(({ title }: { title: string }) => title).sort()).toEqual(['Kite', 'Lamp']);
});

test('tables of spreadsheets on Windows are read, and what is none is refused', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const file = temporaryPath('projects.csv');
  const titles: unknown[] = [];
  const texts = [
    Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('title\tname\nGrün\tada\n', 'utf16le')]),
    Buffer.from('\ufefftitle\tname\nGrün\tada\n', 'utf16le').swap16(),
    Buffer.from('title;name\r\nGr\xfcn \x80;ada\r\n', 'latin1'),
  ];
  for (const bytes of texts) {
    writeFileSync(file, bytes);
    expect((await run(site, file, '--publish')).code).toBe(0);
  }
  titles.push(...(await listOf(site)).map(({ title }: { title: string }) => title));
  expect(titles.sort()).toEqual(['Grün', 'Grün €']);
  const refusals = {
    'a,b\n1,2\n': 'must name the columns; one of them is title.',
    '': 'must name the columns; one of them is title.',
    'title,text\n"open,1\n': 'is no table with commas, semicolons or tabs',
  };
  for (const [text, reason] of Object.entries(refusals)) {
    writeFileSync(file, text);
    expect(await run(site, file)).toEqual({ code: 2, out: '', error: expect.stringContaining(reason) });
  }
  expect((await run(site, temporaryPath('none.csv'))).code).toBe(2);
});
