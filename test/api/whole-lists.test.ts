// Whole lists as CSV and newline-delimited JSON: `?format=csv` and `?format=ndjson`.

import { heapStats } from 'bun:jsc';
import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import sql, { raw } from 'sql-template-tag';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';
import { letTimePass } from '../support/waiting.ts';

const galleryWithAccounts = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(import.meta.dir, '../exchanges', file), 'utf8'))
  .join('');

const readLines = async (response: Response) =>
  (await response.text())
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));

/** The memory of JavaScript's objects, without garbage. */
function heapMegabytes(): number {
  Bun.gc(true);
  const { heapSize, extraMemorySize } = heapStats();
  return (heapSize + extraMemorySize) / 1024 / 1024;
}

const rename = ({ database }: Site, table: string, name: string) =>
  database.transaction((transaction) =>
    transaction.run(sql`alter table ${raw(table)} rename to ${raw(name)}`),
  );

/** The ids in a list of NDJSON that is read in steps. */
class IdReader {
  readonly ids: number[] = [];
  readonly #reader: ReadableStreamDefaultReader<Uint8Array>;
  readonly #decoder = new TextDecoder();
  #rest = '';

  constructor(response: Response) {
    if (!response.body) throw new Error('there is no body');
    this.#reader = response.body.getReader();
  }

  async readChunk(): Promise<boolean> {
    const { done, value } = await this.#reader.read();
    const lines = (this.#rest + this.#decoder.decode(value, { stream: !done })).split('\n');
    this.#rest = lines.pop() ?? '';
    this.ids.push(...lines.map((line) => JSON.parse(line).id));
    return !done;
  }

  async readAll(): Promise<number[]> {
    while (await this.readChunk());
    return this.ids;
  }
}

onBothDatabases((kind) => {
  test('the lines of every list are the records of its pages', async () => {
    const site = await siteOn(kind, { dump: galleryWithAccounts });
    const alma = await person(site, 'alma');
    const zoe = await person(site, 'zoë.k');
    await zoe.post('/api/v1/projects/1/report/', { reason: 'spam' });
    await zoe.post('/api/v1/projects/1/comments/', { text: 'Well done.' });
    await alma.put('/api/v1/contributors/8/account/', { state: 'disabled', reason: 'x' });
    await alma.delete('/api/v1/projects/2/');

    const lists = [
      'projects/?ordering=-karma,title&include=content_type,contributor,parent,media,link,history',
      'projects/?search=a&fields=id,title',
      'projects/?content_type__in=text,photo&status=1&tags=kite&created__gte=2000-01-01',
      'projects/1/comments/?',
      'projects/1/copies/?',
      'trash/?',
      'contributors/?ordering=-last_name',
      'tags/?ordering=name',
      'reports/?state=open',
      'decisions/?',
      'changes/?since=3',
    ];
    const lengths: number[] = [];
    for (const viewer of [alma, visitor(site)]) {
      for (const list of lists) {
        const page = await viewer.get(`/api/v1/${list}&page_size=100&limit=1000`);
        if (page.status !== 200) continue;
        const whole = await viewer.get(`/api/v1/${list}&page_size=2&page=7&limit=1&format=ndjson`);
        const { results } = (await page.json()) as { results: unknown[] };
        expect([list, await readLines(whole)]).toEqual([list, results]);
        lengths.push(results.length);
      }
    }
    expect(lengths.length).toBe(19);
    expect(lengths.filter((length) => length > 0).length).toBeGreaterThan(12);
  });

  test('a table has a header, flat members and quoted cells, and no formulas', async () => {
    const site = await siteOn(kind, {
      dump: dump(
        contributor(1, 'ada', { first_name: '=Ada', last_name: 'Lovelace' }),
        project(1, { title: '=HYPERLINK("x")', tags: ['a', 'b'], text: 'One\ntwo', karma: 5 }),
        project(2, { title: "'@x", copied_from: 1, text: '+1' }),
        project(3, { title: '-', text: '\t=1' }),
        project(4, { title: "It's 1+1" }),
      ),
    });
    const query = 'ordering=id&include=contributor,media&fields=id,copied_from,title,tags,text,karma';
    const response = await site.get(`/api/v1/projects/?${query},contributor,media&format=csv`);
    const bytes = await response.bytes();
    const owner = "1,ada,'=Ada Lovelace,http://gallery.example/contributors/1-ada/,[]";
    expect([response.status, [...bytes.slice(0, 3)], new TextDecoder().decode(bytes)]).toEqual([
      200,
      [0xef, 0xbb, 0xbf],
      [
        'id,title,copied_from,tags,text,karma,contributor.id,contributor.username,contributor.name,contributor.html_url,media',
        `1,"'=HYPERLINK(""x"")",,"a, b","One\ntwo",5,${owner}`,
        `2,''@x,1,,'+1,0,${owner}`,
        `3,'-,,,'\t=1,0,${owner}`,
        `4,It's 1+1,,,,0,${owner}`,
        '',
      ].join('\r\n'),
    ]);
  });

  test('a list of 30 MB is sent in order and in little memory while its projects change', async () => {
    const count = 2500;
    const text = '. '.repeat(6000);
    const lines = Array.from({ length: count }, (_, index) =>
      project(index + 1, { text, created: new Date(1e12 + index).toISOString().replace('Z', '000+00:00') }),
    );
    const site = await siteOn(kind, { dump: dump(ada, contributor(2, 'mo'), ...lines) });
    const maker = await person(site, 'ada');
    const mo = await person(site, 'mo', { role: 'moderator' });
    const begin = async (viewer: Person = visitor(site), query = '') =>
      new IdReader(await viewer.get(`/api/v1/projects/?format=ndjson${query}`));

    const before = heapMegabytes();
    const list = await begin();
    while (list.ids.length < count / 2 && (await list.readChunk()));
    await maker.delete('/api/v1/projects/1000/');
    await maker.patch('/api/v1/projects/750/', { visibility: 'private' });
    await maker.patch('/api/v1/projects/500/', { title: 'Another' });
    await maker.post('/api/v1/projects/', { title: 'New' });
    // The other half is 15 MB.
    expect(heapMegabytes() - before).toBeLessThan(5);
    const ids = await list.readAll();
    const hidden = [1000, 750];
    const expected = Array.from({ length: count }, (_, index) => count - index);
    expect(ids).toEqual(expected.filter((id) => !hidden.includes(id)));

    // Credentials that end, and a database that fails, break the connection.
    const own = await begin(maker, '&contributor=me');
    await own.readChunk();
    await mo.put('/api/v1/contributors/1/account/', { state: 'disabled', reason: 'x' });
    letTimePass(2000);
    await expect(own.readAll()).rejects.toThrow();
    const last = await begin();
    await last.readChunk();
    await rename(site, 'project', 'project_elsewhere');
    await expect(last.readAll()).rejects.toThrow();
    await rename(site, 'project_elsewhere', 'project');
    expect(site.logged.filter((line) => line.includes('fault'))).toHaveLength(1);
  });

  test('a viewer reads one list at a time, and only a few lists are sent at once', async () => {
    const people = ['bob', 'cy', 'dan', 'eve'].map((username, index) => contributor(10 + index, username));
    const texts = Array.from({ length: 40 }, (_, index) =>
      project(index + 1, { text: 'long '.repeat(10_000) }),
    );
    const site = await siteOn(kind, { dump: dump(ada, ...people, ...texts) });
    const path = '/api/v1/projects/?format=csv';
    const first = await site.get(path);
    const second = await site.get(path);
    expect([second.status, second.headers.get('Retry-After'), await second.json()]).toEqual([
      429,
      '10',
      { detail: 'Request was throttled. Expected available in 10 seconds.' },
    ]);

    const others = await Promise.all(['bob', 'cy', 'dan', 'eve'].map((name) => person(site, name)));
    const responses: Response[] = [];
    for (const other of others) responses.push(await other.get(path));
    expect(responses.map(({ status }) => status)).toEqual([200, 200, 200, 503]);
    const refused = responses.at(-1);
    expect([refused?.headers.get('Retry-After'), await refused?.json()]).toEqual([
      '1',
      { detail: 'Service temporarily unavailable, try again later.' },
    ]);

    await first.body?.cancel();
    const third = await site.get(path);
    expect([third.status, (await third.text()).length > 2_000_000]).toEqual([200, true]);
  });
});
