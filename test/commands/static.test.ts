// The gallery as a folder that needs no server.

import { beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { openBrowser } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { type Kind, onBothDatabases, temporaryPath } from '../support/databases.ts';
import { person } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { startWithInput, vitrine } from '../support/server.ts';
import { ada, contributor, dump, pathOf, project, type Site, siteOn, uuidOf } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const origin = 'https://gallery.example';

/** In everything that visitors do not find in lists. */
const marks = ['xylograph', 'Vexillum', 'Oubliette'];
const marked = { title: 'Vexillum', text: 'A xylograph.', tags: ['Oubliette'] };
const collected = (id: number, by: number) =>
  `{"type":"collection_item","collection":7,"project":${id},"position":${id},"note":"","state":"included","added_by":${by},"added":"2026-03-01T10:00:00.000000+00:00"}`;

const gallery = dump(
  ada,
  contributor(2, 'zoe'),
  contributor(3, 'pupil'),
  contributor(4, '漢'.repeat(150)),
  '{"type":"account","contributor":3,"role":"contributor","password":null,"disabled":null,"looked_after_by":7}',
  project(1, {
    title: 'Kite',
    slug: 'kite',
    tags: ['wind', 'Ünder ☂', '..', 'a/b'],
    text: `It *flies*: [earlier](${origin}${pathOf(2, 'an-earlier-title')}), [gone](${origin}/contributors/99-nobody/), [hidden](${origin}${pathOf(20)}), [mine](${origin}/account/), [list](${origin}/?tags=wind), [zoe](${origin}/contributors/2-zoe-before/), [odd](${origin}//[), [other](${origin}//x/about/), [up](${origin}/content/../../%2e%2e/), [far](${origin}/?page=99999), [out](${origin}/?page=../../../../x), [broken](${origin}/contributors/1-%ff/), [climbs](${origin}/contributors/1-%2e%2e%2f%2e%2e%2f%2e%2e%2fx/), [none](${origin}${pathOf(2, 'lamp')}?page=7), [unlike](${origin}${pathOf(5, 'from-it')}files/), [record](${origin}/api/v1/projects/20/), [script](${origin}/assets/none.js).`,
  }),
  project(2, { title: 'Lamp', slug: 'lamp', contributor: 2, copied_from: 1 }),
  project(3, { content_type: 'comment', text: 'Ninety', contributor: 2, parent: 1 }),
  project(4, { title: 'Archived', slug: 'archived', status: 2 }),
  project(5, { title: 'From it', slug: 'from-it', copied_from: 4 }),
  project(6, { title: 'By a pupil: Balalaika', slug: 'by-a-pupil', contributor: 3 }),
  project(7, {
    title: 'A class',
    slug: 'a-class',
    content_type: 'collection',
    kind: 'class',
    visibility: 'unlisted',
  }),
  project(12, { title: 'Of a long name', slug: 'long', contributor: 4 }),
  project(8, { title: 'Show', slug: 'show', content_type: 'collection', kind: 'collection', offers: 'open' }),
  project(9, { content_type: 'comment', text: 'Zither', contributor: 2, parent: 6 }),
  ...Array.from({ length: 60 }, (_, index) =>
    project(100 + index, { slug: `number-${index}`, title: `Number ${index}` }),
  ),
  project(10, { title: 'Upper', slug: 'same', uuid: 'ABCDEFGHIJKLMNOPQRSTUV' }),
  project(11, { title: 'Lower', slug: 'same', uuid: 'abcdefghijklmnopqrstuv' }),
  project(20, { ...marked, visibility: 'unlisted' }),
  project(21, { ...marked, visibility: 'private' }),
  project(22, { ...marked, status: 0 }),
  project(23, { ...marked, status: 3, copied_from: 1 }),
  project(24, { ...marked, content_type: 'comment', contributor: 2, parent: 20 }),
  project(25, { ...marked, contributor: 2, visibility: 'private', copied_from: 1 }),
  collected(1, 1).replace('"collection":7', '"collection":8'),
);

const smallGallery = dump(ada, project(1));

interface Twin {
  readonly site: Site;
  readonly folder: string;
  make(...more: string[]): ReturnType<typeof vitrine>;
}

async function createTwin(kind: Kind, lines = gallery): Promise<Twin> {
  const site = await siteOn(kind, { dump: lines });
  const writer = await person(site, 'ada');
  const body = new FormData();
  body.append('file', new Blob([new Uint8Array(await png(700, 400))]), 'kite.png');
  const answer = await site.request('/api/v1/projects/1/media/', {
    method: 'POST',
    headers: await writer.key(),
    body,
  });
  expect(answer.status).toBe(201);
  const folder = temporaryPath('twin');
  const options = ['--database', site.address, '--files', site.folder, '--public-url', origin];
  return { site, folder, make: (...more) => vitrine('static', folder, ...options, ...more) };
}

const filesIn = (folder: string) =>
  readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(folder, path)).isFile(),
  );

const read = (folder: string, path: string) => readFileSync(join(folder, path), 'utf8');

/** All text of a file, also of one that is compressed. */
function textOf(path: string): string {
  const bytes = readFileSync(path);
  return (bytes[0] === 0x1f && bytes[1] === 0x8b ? Buffer.from(Bun.gunzipSync(bytes)) : bytes).toString(
    'utf8',
  );
}

/** The addresses in a file that belong to the gallery, as paths without fragments. */
function findAddresses(text: string, base: string): string[] {
  const values = [...text.matchAll(/\b(?:href|src|poster|srcset|action|content)="([^"]*)"|<loc>([^<]*)/g)];
  return values.flatMap(([whole, value = '', place = '']) => {
    const named = (value || place).replaceAll('&amp;', '&').replace(/^0; url=/, '');
    if (whole.startsWith('content=') && !/^(https:\/\/gallery|\/)/.test(named)) return [];
    return (whole.startsWith('srcset') ? named.split(', ').map((part) => part.split(' ')[0] ?? '') : [named])
      .map((address) => URL.parse(address, origin + base))
      .filter((url) => url?.origin === origin)
      .map((url) => (url?.pathname ?? '') + (url?.search ?? ''));
  });
}

const fileOf = (address: string) =>
  `${decodeURIComponent(address.slice(1))}${address.endsWith('/') ? 'index.html' : ''}`;

function findBroken(folder: string): string[] {
  const files = new Set(filesIn(folder));
  const isPage = (file: string) => /\.(html|xml|atom)$/.test(file) && !file.startsWith('pagefind');
  return [...files].filter(isPage).flatMap((file) =>
    findAddresses(read(folder, file), `/${file.replace(/index\.html$/, '')}`)
      .filter((address) => !files.has(fileOf(address.replace('/search/?', '/search/'))))
      .map((address) => `${file}: ${address}`),
  );
}

onBothDatabases((kind) => {
  let twin: Twin;
  let made: Awaited<ReturnType<Twin['make']>>;
  beforeAll(async () => {
    twin = await createTwin(kind);
    made = await twin.make();
  });

  test('has what visitors find, at the same addresses, and no link leads nowhere', () => {
    const { folder } = twin;
    expect(made).toMatchObject({ code: 0, out: '' });
    const page = read(folder, `content/${uuidOf(1)}/kite/index.html`);
    expect(page).toContain('<em>flies</em>');
    expect(page).toContain('This copy of the gallery was made on ');
    const links = [
      ...page.matchAll(
        /<a href="([^"]*)"[^>]*>(earlier|gone|hidden|mine|list|zoe|odd|other|up|far|out|broken|climbs|none|unlike|record|script)</g,
      ),
    ].map(([, href, text]) => [text, href]);
    expect(links).toEqual([
      ['earlier', origin + pathOf(2, 'lamp')],
      ['list', `${origin}/tags/wind/`],
      ['zoe', `${origin}/contributors/2-zoe/`],
      ['up', `${origin}/`],
      ['climbs', `${origin}/contributors/1-ada/`],
    ]);
    expect(page).toContain(', gone, hidden, mine, ');
    for (const path of [
      'page/2/',
      'content_type/text/',
      'tags/wind/',
      'tags/~c3~9cnder_~e2~98~82/',
      'tags/~2e~2e/',
      'tags/a~2fb/',
      'contributors/2-zoe/',
      'search/',
      `content/${uuidOf(1)}/`,
      `content/${uuidOf(4)}/archived/`,
      `content/${uuidOf(8)}/show/`,
      `content/${uuidOf(2)}/lamp/comparison/`,
    ])
      expect([path, existsSync(join(folder, path, 'index.html'))]).toEqual([path, true]);
    for (const file of [
      'feed.atom',
      'tags/wind/feed.json',
      'sitemap.xml',
      '404.html',
      'nginx.conf',
      '_redirects',
    ])
      expect([file, existsSync(join(folder, file))]).toEqual([file, true]);
    const names = filesIn(folder).map((file) => file.toLowerCase());
    expect(names.length).toBe(new Set(names).size);
    expect(read(folder, 'content/ABCDEFGHIJKLMNOPQRSTUV~10/same/index.html')).toContain('Upper');
    expect(read(folder, 'content/abcdefghijklmnopqrstuv/same/index.html')).toContain('Lower');
    expect(filesIn(join(folder, 'media'))).toHaveLength(3);
    for (const file of filesIn(folder).filter((file) => file.endsWith('feed.json')))
      expect(JSON.parse(read(folder, file)).items).toBeArray();
    expect(read(folder, 'tags/wind/feed.json')).toContain(`${origin}/tags/wind/`);
    expect(findBroken(folder)).toEqual([]);
  });

  test('has records and lists as JSON, and the public dump', async () => {
    const { folder, site } = twin;
    const record = JSON.parse(read(folder, 'api/v1/projects/1/index.json'));
    const asked = await site.request('/api/v1/projects/1/', { headers: { Accept: 'application/json' } });
    const own = (await asked.text()).replaceAll('http://gallery.example', origin);
    expect(record).toEqual(JSON.parse(own));
    const ids: number[] = [];
    for (let path: string | undefined = '/api/v1/projects/index.json'; path; ) {
      const page = JSON.parse(read(folder, path));
      ids.push(...page.results.map(({ id }: { id: number }) => id));
      path = page.next?.slice(origin.length);
    }
    expect(new Set(ids).size).toBe(67);
    const lines = textOf(join(folder, 'public-dump.ndjson.gz')).trim().split('\n');
    expect(lines.map((line) => JSON.parse(line).id).sort()).toEqual(ids.sort());
  });

  test('has nothing that visitors do not find, no form to send and no way to sign in', () => {
    for (const file of filesIn(twin.folder)) {
      const text = textOf(join(twin.folder, file));
      for (const mark of [
        ...marks,
        'Balalaika',
        'Zither',
        '/sign-in/',
        'method="post"',
        '/report/',
        '3-pupil',
      ])
        expect([file, mark, text.includes(mark)]).toEqual([file, mark, false]);
    }
  });

  test('the sums are those of all files, and nothing is left beside the folder', () => {
    const { folder } = twin;
    const lines = read(folder, 'SHA256SUMS').trim().split('\n');
    const sums = Object.fromEntries(lines.map((line) => [line.slice(66), line.slice(0, 64)]));
    const files = filesIn(folder).filter((file) => !['SHA256SUMS', '.vitrine-static'].includes(file));
    expect(Object.keys(sums).sort()).toEqual(files.sort());
    for (const file of files)
      expect(new Bun.CryptoHasher('sha256').update(readFileSync(join(folder, file))).digest('hex')).toBe(
        sums[file] ?? '',
      );
    expect(existsSync(`${folder}.unfinished`)).toBe(false);
  });

  if (kind === 'SQLite')
    test('a run that is stopped goes on where it was, and the folder is the same', async () => {
      const { site, folder: whole } = twin;
      const folder = temporaryPath('stopped');
      const options = ['--database', site.address, '--files', site.folder, '--public-url', origin];
      for (const count of [60, 180]) {
        const child = await startWithInput('static', folder, ...options);
        await waitFor(() => existsSync(folder) && filesIn(folder).length >= count);
        child.kill('SIGKILL');
        await child.exited;
      }
      expect((await vitrine('static', folder, ...options)).code).toBe(0);
      const contentOf = (place: string) =>
        Object.fromEntries(
          filesIn(place)
            .filter((file) => !/pagefind|SHA256/.test(file))
            .sort()
            .map((file) => [file, textOf(join(place, file)).replace(/was made on [^<]*/, 'made')]),
        );
      expect(contentOf(folder)).toEqual(contentOf(whole));
    });

  if (kind === 'SQLite')
    test('a browser searches without a server program, and without scripts finds the lists', async () => {
      const { folder } = twin;
      const server = Bun.serve({
        port: 0,
        async fetch({ url }) {
          const path = decodeURIComponent(new URL(url).pathname);
          const file = Bun.file(join(folder, path.endsWith('/') ? `${path}index.html` : path));
          if (await file.exists()) return new Response(file);
          return new Response(Bun.file(join(folder, '404.html')), { status: 404 });
        },
      });
      closeLater(() => server.stop(true));
      const browser = await openBrowser();
      const baseURL = server.url.href;
      const page = await browser.newPage({ baseURL });
      const problems: string[] = [];
      page.on('console', (message) => void (message.type() === 'error' && problems.push(message.text())));
      await page.goto('/');
      await page.getByRole('searchbox').fill('lamp');
      await page.keyboard.press('Enter');
      await page.getByRole('link', { name: 'Lamp' }).click();
      await page.waitForURL(`**${pathOf(2, 'lamp')}`);
      await page.goto('/?tags=%C3%9Cnder+%E2%98%82');
      await page.waitForURL('**/tags/**');
      expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Ünder ☂');
      expect(problems).toEqual([]);
      await page.goto(pathOf(2, 'a-former-title'));
      await page.waitForURL(`**${pathOf(2, 'lamp')}`);
      await page.close();

      const plain = await browser.newPage({ baseURL, javaScriptEnabled: false });
      await plain.goto('/');
      await plain.getByRole('link', { name: 'Next' }).click();
      expect(new URL(plain.url()).pathname).toBe('/page/2/');
      await plain.goto('/search/');
      expect(await plain.getByText('Searching needs JavaScript.').isVisible()).toBe(true);
      await plain.close();
    });

  test('made again, it has the works of pupils if that is asked for, and loses what was deleted since', async () => {
    const { site, folder, make } = twin;
    const zoe = await person(site, 'zoe');
    expect((await zoe.delete('/api/v1/projects/2/')).status).toBe(204);
    mkdirSync(join(folder, 'content/left/over'), { recursive: true });
    writeFileSync(join(folder, 'content/left/over/index.html'), 'Of a run that was killed');
    expect((await make('--with-looked-after')).code).toBe(0);
    expect(existsSync(join(folder, 'content/left'))).toBe(false);
    expect(existsSync(join(folder, `content/${uuidOf(6)}/by-a-pupil/index.html`))).toBe(true);
    expect(existsSync(join(folder, `content/${uuidOf(2)}/lamp/index.html`))).toBe(false);
    expect(findBroken(folder)).toEqual([]);
  });
});

test('what the file store has lost is named, and comes when it is back', async () => {
  const { site, folder, make } = await createTwin('SQLite', smallGallery);
  const [file = ''] = filesIn(site.folder).filter((path) => /[0-9a-f]{64}$/.test(path));
  const content = readFileSync(join(site.folder, file));
  rmSync(join(site.folder, file));
  const { code, error } = await make();
  expect(code).toBe(1);
  expect(error).toMatch(/^\/media\/[0-9a-f]{64}\.\w+ is missing: the server answers with 503\.$/m);
  writeFileSync(join(site.folder, file), content);
  expect((await make()).code).toBe(0);
  expect(findBroken(folder)).toEqual([]);
});

test('what cannot be is refused with a sentence', async () => {
  const { site, folder } = await createTwin('SQLite', smallGallery);
  const options = ['--database', site.address];
  const withoutUrl = await vitrine('static', folder, ...options);
  expect(withoutUrl).toEqual({
    code: 2,
    out: '',
    error: expect.stringContaining('static needs --public-url'),
  });
  mkdirSync(folder);
  writeFileSync(join(folder, 'thesis.txt'), 'mine');
  const full = await vitrine('static', folder, ...options, '--public-url', origin);
  expect(full).toEqual({ code: 2, out: '', error: expect.stringContaining('has other files') });
  expect(filesIn(folder)).toEqual(['thesis.txt']);
  writeFileSync(
    join(folder, 'SHA256SUMS'),
    `${'0'.repeat(64)}  thesis.txt\n${'0'.repeat(64)}  ../twin.txt\n`,
  );
  expect((await vitrine('static', folder, ...options, '--public-url', origin)).code).toBe(2);
  expect(filesIn(folder).sort()).toEqual(['SHA256SUMS', 'thesis.txt']);
  const archive = ['--warc', join(folder, 'none/a.warc.gz')];
  const noPlace = await vitrine(
    'static',
    temporaryPath('new'),
    ...options,
    '--public-url',
    origin,
    ...archive,
  );
  expect(noPlace).toEqual({ code: 2, out: '', error: expect.stringContaining('for the web archive.') });
  expect(existsSync(`${folder}.unfinished`)).toBe(false);
  expect((await vitrine('static', ...options, '--public-url', origin)).error).toContain(
    'static needs the folder to make.',
  );
});
