// The browsable API for reading, in a browser without scripts.

import { beforeAll, expect, test } from 'bun:test';
import { onBothDatabases } from '../support/databases.ts';
import { Page, parseHtml, readPage } from '../support/html.ts';
import { ada, dump, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  ada,
  ...Array.from({ length: 12 }, (_, index) =>
    project(index + 1, { title: `Lamp ${index + 1}`, content_type: index % 2 ? 'photo' : 'text' }),
  ),
);

const asBrowser = { Accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

onBothDatabases((kind) => {
  let site: Site;

  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
  });

  const page = async (path: string, headers: Record<string, string> = {}) =>
    (await site.get(path, { ...asBrowser, ...headers })).text();

  const open = async (path: string, headers?: Record<string, string>) => new Page(await page(path, headers));

  const options = (headers: Record<string, string> = {}) =>
    site.request('/api/v1/projects/', {
      method: 'POST',
      headers: { ...asBrowser, 'Content-Type': 'application/x-www-form-urlencoded', ...headers },
      body: '_method=OPTIONS',
    });

  test.each([
    '/api/v1/projects/3/',
    '/api/v1/projects/?page_size=5&page=2',
    '/api/v1/projects/3/?format=api',
    '/api/v1/projects/99/',
    '/api/v1/projects/?content_type=x',
    '/api/v1/',
  ])('the page at %p has the status, the headers and the body that a program gets', async (path) => {
    const response = await site.get(path.replace('?format=api', ''), { Accept: 'application/json' });
    const { 'x-request-id': _, ...headers } = Object.fromEntries(response.headers);
    const shown = exchange(await page(path));

    expect(shown.request).toBe(`GET ${path.replace('?format=api', '')}`);
    expect(shown.status).toMatch(new RegExp(`^HTTP ${response.status} (OK|Not Found|Bad Request)$`));
    expect(Object.fromEntries(shown.headers.map(([name, value]) => [name.toLowerCase(), value]))).toEqual(
      headers,
    );
    expect(shown.headers).toEqual(shown.headers.toSorted());
    expect(shown.body).toBe(JSON.stringify(await response.json(), null, 4));
  });

  test('a page names its other rendering, by suffix too', async () => {
    const text = await page('/api/v1/projects.api?page_size=5');

    expect(text).toContain('<a href="/api/v1/projects/?page_size=5&amp;format=json">JSON</a>');
    expect(text).toContain(
      '<a href="/api/v1/projects/?format=csv">CSV</a> <a href="/api/v1/projects/?format=ndjson">NDJSON</a></nav>',
    );
    expect(await site.json('/api/v1/projects/?page_size=5&format=json')).toMatchObject({ count: 12 });
  });

  test('OPTIONS is a button, for visitors and for those who are signed in', async () => {
    const { 'X-CSRFToken': _, ...adas } = await site.signIn('ada');
    const [visitors, own] = [await options(), await options(adas)];
    const [metadata, ownMetadata] = [
      JSON.parse(exchange(await visitors.text()).body),
      JSON.parse(exchange(await own.text()).body),
    ];

    expect(await page('/api/v1/projects/')).toContain(
      '<form method="post" action="/api/v1/projects/"><button class="quiet" type="submit" name="_method" value="OPTIONS">',
    );
    expect([visitors.status, own.status]).toEqual([200, 200]);
    expect([metadata.name, Object.keys(metadata)]).toEqual([
      'Content List',
      ['name', 'description', 'renders', 'parses'],
    ]);
    expect(Object.keys(ownMetadata.actions)).toEqual(['POST']);
  });

  test('OPTIONS with an invalid key gets 401', async () => {
    expect((await options({ Authorization: 'Token nonsense' })).status).toBe(401);
  });

  test('the parameters are a form with the values of the address', async () => {
    const form = await open('/api/v1/projects/?content_type=photo&search="a"&ordering=-karma');
    expect(form.textsOf('details.filters summary')).toEqual(['Parameters: content_type, search, ordering']);
    expect(form.attributesOf('details.filters form', 'action')).toEqual(['/api/v1/projects/']);
    expect(form.fields).toMatchObject({ content_type: 'photo', search: '"a"', ordering: '-karma' });
    expect(form.attributesOf('#get-content_type option', 'value')).toContain('text');
    expect(form.textsOf('label[for=get-search]')).toEqual(['search']);
    expect(form.attributesOf('#get-search', 'aria-describedby')).toEqual(['get-search-help']);
    expect(form.textsOf('#get-search-help')[0]).toStartWith('Only projects');
  });

  test('the form of the parameters sent without values lists everything', async () => {
    const names = (await open('/api/v1/projects/')).attributesOf('[id^=get-][name]', 'name');
    expect(names.length).toBeGreaterThan(15);

    const query = names.map((name) => `${name}=`).join('&');
    expect(await site.json(`/api/v1/projects/?${query}`)).toMatchObject({ count: 12 });
  });

  test('an invalid parameter has its message at its control', async () => {
    const form = await open('/api/v1/projects/?content_type=x');
    expect(form.document.querySelectorAll('details.filters[open]')).toHaveLength(1);
    expect(form.textsOf('#get-content_type-wrong')[0]).toStartWith('Select a valid choice. x is not');
  });

  test('the records of a list fold, and say what they are', async () => {
    const list = await open('/api/v1/projects/?page_size=2&ordering=id');
    expect(list.attributesOf('.body summary', 'data-more')).toEqual([
      '2 ]',
      '"id": 1, "title": "Lamp 1", "uuid": "uuid000000000000000001" }',
      '"id": 2, "title": "Lamp 2", "uuid": "uuid000000000000000002" }',
    ]);
    expect(list.attributesOf('.body summary', 'aria-label')).toEqual(['Item 1', 'Item 2']);
    expect(list.document.querySelectorAll('.body details[open]')).toHaveLength(3);
    expect(list.document.querySelectorAll('.body a[href$="/projects/1/?format=api"]')).toHaveLength(1);
  });

  test('a list is also a table, whose links lead to tables', async () => {
    const path = '/api/v1/projects/?content_type=photo&ordering=-id&page_size=2&format=table';
    const table = await open(path, { Accept: '*/*' });
    expect(table.textsOf('.records thead th').slice(0, 4)).toEqual(['id', 'url', 'html_url', 'created']);
    expect(table.textsOf('.records tbody tr').map((row) => row.slice(0, 30))).toEqual([
      '12 /api/v1/projects/12/ /conte',
      '10 /api/v1/projects/10/ /conte',
    ]);
    expect(table.attributesOf('.records th[aria-sort]', 'aria-sort')).toEqual(['descending']);
    expect(table.attributesOf('.records th a', 'href').slice(0, 2)).toEqual([
      '/api/v1/projects/?content_type=photo&format=table&ordering=id&page_size=2',
      '/api/v1/projects/?content_type=photo&format=table&ordering=created&page_size=2',
    ]);
    expect(pager(table).at(-1)).toEqual([
      'Next',
      'http://gallery.example/api/v1/projects/?content_type=photo&format=table&ordering=-id&page=2&page_size=2',
    ]);
    expect(table.textsOf('pre.request')).toEqual([
      'GET /api/v1/projects/?content_type=photo&ordering=-id&page_size=2',
    ]);
    expect(table.fields).toMatchObject({ format: 'table', ordering: '-id' });
    expect(table.textsOf('.formats [aria-current]')).toEqual(['Table']);

    const cursors = await open('/api/v1/projects/?cursor=&page_size=4&format=table');
    expect(pager(cursors)[0]?.[1]).toEndWith('&page_size=4&format=table');
  });

  test('a table cuts long texts, and what is no list is shown as JSON', async () => {
    const site = await siteOn(kind, { dump: dump(ada, project(1, { text: 'long '.repeat(1000) })) });
    const read = async (path: string) => readPage(await site.get(path, asBrowser));
    const table = await read('/api/v1/projects/?format=table');
    expect(table.html.length).toBeLessThan(20_000);
    expect(table.textsOf('.records td')).toContain(`${'long '.repeat(16)}…`);

    for (const path of [
      '/api/v1/projects/1/?format=table',
      '/api/v1/projects/?format=table&search=nothing',
    ]) {
      const page = await read(path);
      expect(page.textsOf('.records')).toEqual([]);
      expect(page.textsOf('.exchange .body')[0]).toStartWith('{');
    }
  });

  test('only a whole, short URL is a link', async () => {
    const texts = [
      'https://a.example/b',
      'https://a.example/\n\nHello',
      `https://a.example/${'b'.repeat(3000)}`,
    ];
    const projects = texts.map((text, index) => project(index + 1, { text }));
    const site = await siteOn(kind, { dump: dump(ada, ...projects) });
    const path = '/api/v1/projects/?ordering=id&fields=text';

    const json = await readPage(await site.get(path, asBrowser));
    expect(JSON.parse(json.document.querySelector('.exchange .body')?.text ?? '').results).toEqual(
      texts.map((text) => ({ text })),
    );
    expect(json.attributesOf('.exchange .body a[href*="a.example"]', 'href')).toEqual(texts.slice(0, 1));
    const table = await readPage(await site.get(`${path}&format=table`, asBrowser));
    expect(table.attributesOf('.records td a', 'href')).toEqual(texts.slice(0, 1));
    expect(table.textsOf('.records td a')).toEqual(['/b']);
  });

  test('a list of many long texts is whole in JSON, and cut on the page', async () => {
    const text = 'long "text"\n'.repeat(5000);
    const projects = Array.from({ length: 25 }, (_, index) => project(index + 1, { text }));
    const site = await siteOn(kind, { dump: dump(ada, ...projects) });
    const path = '/api/v1/projects/?page_size=25';
    const json = await (await site.get(path)).text();
    expect(json).toBe(JSON.stringify(JSON.parse(json)));
    expect(JSON.parse(json).results.map((record: { text: string }) => record.text === text)).toEqual(
      projects.map(() => true),
    );
    const indented = await (await site.get(path, { Accept: 'application/json; indent=2' })).text();
    expect(indented).toBe(JSON.stringify(JSON.parse(json), null, 2));

    const page = await readPage(await site.get(path, asBrowser));
    expect(page.notices[0]).toStartWith('This response is long: texts are cut after 1000 characters.');
    const shown = JSON.parse(page.document.querySelector('.exchange .body')?.text ?? '');
    expect(shown.results[0]).toEqual({ ...JSON.parse(json).results[0], text: `${text.slice(0, 1000)}…` });
  });

  test('a program gets JSON where a table is named, unless it accepts no JSON', async () => {
    const path = '/api/v1/projects/?format=table&page_size=1';
    const types = ['application/json', 'text/html', ''].map(async (Accept) =>
      (await site.get(path, { Accept })).headers.get('Content-Type'),
    );
    expect(await Promise.all(types)).toEqual([
      'application/json',
      'text/html; charset=utf-8',
      'text/html; charset=utf-8',
    ]);
    expect((await site.get('/api/v1/projects.table', { Accept: 'text/html' })).status).toBe(200);
    expect((await site.get('/api/v1/projects/?format=tables')).status).toBe(404);
  });

  test('the header says who is signed in', async () => {
    const link = 'a[href="/api/v1/auth/session/"]';
    const headers = await site.signIn('ada');
    expect((await open('/api/v1/projects/')).textsOf(link)).toEqual(['Sign in']);
    for (const path of ['/api/v1/projects/', '/api/v1/docs/', '/api/v1/projects/99/'])
      expect((await open(path, headers)).textsOf(link)).toEqual(['Signed in as ada']);
    const withBadKey = await site.get('/api/v1/projects/', { ...asBrowser, Authorization: 'Token nonsense' });
    expect(withBadKey.status).toBe(401);
    expect((await readPage(withBadKey)).textsOf(link)).toEqual(['Sign in']);
  });

  test('the sort fields are choices, beside a combination in the address', async () => {
    const values = (page: Page) => page.attributesOf('#get-ordering option', 'value');
    expect(values(await open('/api/v1/projects/')).slice(0, 5)).toEqual([
      '',
      '-created',
      'created',
      '-title',
      'title',
    ]);
    const combined = await open('/api/v1/projects/?ordering=karma,-id');
    expect(values(combined)).toContain('karma,-id');
    expect(combined.fields.ordering).toBe('karma,-id');
  });

  test('a resource that cannot be read offers its other operations', async () => {
    const headers = await site.signIn('ada');
    const response = await site.get('/api/v1/projects/1/copy/', { ...asBrowser, ...headers });
    expect(response.status).toBe(405);
    const page = await readPage(response);
    expect(page.textsOf('.operation-forms h2')).toEqual(['Creates a private copy that belongs to you.']);
    expect(page.hasButton('POST')).toBe(true);
    expect((await open('/api/v1/projects/1/copy/')).hasButton('POST')).toBe(false);
    expect((await site.get('/api/v1/projects/99/copy/', { ...asBrowser, ...headers })).status).toBe(405);
  });

  test('pages are numbered where their number is known, and keep the other parameters', async () => {
    const numbered = await open('/api/v1/projects/?ordering=id&page_size=4&page=2&format=api');
    expect(pager(numbered)).toEqual([
      ['Previous', 'http://gallery.example/api/v1/projects/?ordering=id&page_size=4'],
      ['1', 'http://gallery.example/api/v1/projects/?ordering=id&page_size=4'],
      ['2', 'http://gallery.example/api/v1/projects/?ordering=id&page=2&page_size=4'],
      ['3', 'http://gallery.example/api/v1/projects/?ordering=id&page=3&page_size=4'],
      ['Next', 'http://gallery.example/api/v1/projects/?ordering=id&page=3&page_size=4'],
    ]);

    const cursors = await open('/api/v1/projects/?cursor=&page_size=4');
    expect(pager(cursors).map(([name]) => name)).toEqual(['Next']);
    expect(pager(await open('/api/v1/projects/1/'))).toEqual([]);
  });

  test('a request can be copied, with a key where the response depends on who asks', async () => {
    const session = await site.signIn('ada');
    const [visitors, everybodys, own] = [
      await page("/api/v1/projects/?search=it's"),
      await page('/api/v1/projects/', session),
      await page('/api/v1/projects/?contributor=me', session),
    ];

    expect(visitors).toContain(
      'curl -H &#x27;Accept: application/json&#x27; &#x27;http://gallery.example/api/v1/projects/?search=it%27s&#x27;</pre>',
    );
    expect(visitors).toContain('fetch(&quot;http://gallery.example/api/v1/projects/?search=it%27s&quot;, {');
    expect(everybodys).not.toContain('YOUR_KEY');
    expect(own).toContain('-H &#x27;Authorization: Token YOUR_KEY&#x27;');
    for (const path of ['/api/v1/me/', '/api/v1/projects/1/'])
      expect(await page(path, session)).toContain('-H &#x27;Authorization: Token YOUR_KEY&#x27;');
  });

  test('the schema is folded at first, and can be downloaded', async () => {
    const schema = await page('/api/v1/schema/');
    expect(schema).toContain('This document is long, and its parts are folded.');
    expect(schema).toMatch(/<a href="\/api\/v1\/schema\/\?format=json" download/);
    expect([schema.includes('<details><summary'), schema.includes('<details open><summary')]).toEqual([
      true,
      false,
    ]);

    const project = await page('/api/v1/projects/1/');
    expect(project).not.toContain('This document is long');
  });

  test('the page of a session shows no secret', async () => {
    const response = await site.get('/api/v1/auth/session/', { ...asBrowser, ...(await site.signIn('ada')) });

    expect(await response.text()).not.toMatch(/vitrine_session/);
  });

  test('a field that names another record has an address for suggestions, and works without', async () => {
    const form = await open('/api/v1/projects/1/comments/', await site.signIn('ada'));
    expect(form.attributesOf('#post-parent', 'type')).toEqual(['text']);
    expect(form.attributesOf('#post-parent', 'list')).toEqual(['post-parent-found']);
    expect(form.document.querySelector('#post-parent-found')?.attributes).toEqual({
      id: 'post-parent-found',
      'data-lookup': '/api/v1/projects/?fields=id,title&page_size=10',
      'data-value': 'id',
      'data-label': 'title',
    });
    const [tags = ''] = form.attributesOf('#post-tags-found[data-multiple]', 'data-lookup');
    expect(tags).toStartWith('/api/v1/tags/');
  });

  test('the filters that name another record or tags have addresses for suggestions', async () => {
    const form = await open('/api/v1/projects/');
    expect(form.attributesOf('#get-tags', 'list')).toEqual(['get-tags-found']);
    expect(form.attributesOf('#get-tags-found[data-multiple]', 'data-lookup')[0]).toStartWith(
      '/api/v1/tags/',
    );
    expect(form.attributesOf('#get-copied_from', 'list')).toEqual(['get-copied_from-found']);
    expect(form.attributesOf('#get-copied_from-found', 'data-lookup')[0]).toStartWith('/api/v1/projects/');
  });

  test('only scripts of this site run, and browsers cache them for a year', async () => {
    const response = await site.get('/api/v1/', asBrowser);
    const scripts = (await readPage(response.clone())).document.querySelectorAll('script');

    expect(response.headers.get('Content-Security-Policy')).toStartWith(
      "default-src 'none'; script-src 'self'; connect-src 'self'; style-src 'self'; img-src 'self';",
    );
    expect(scripts.length).toBeGreaterThan(0);
    for (const script of scripts) {
      expect(script.rawText).toBe('');
      expect(Object.keys(script.attributes)).toEqual(['type', 'src']);
      const file = await site.get(script.getAttribute('src') ?? '');
      expect([file.status, file.headers.get('Content-Type')]).toEqual([
        200,
        'text/javascript; charset=utf-8',
      ]);
      expect(file.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    }
  });
});

/** The request and the response that a page of the API shows. */
function exchange(text: string) {
  const [request = '', response = '', body = ''] = parseHtml(text)
    .querySelectorAll('.exchange .request, .exchange .response, .exchange .body')
    .map((shown) => shown.text);
  const [status = '', ...headers] = response.trim().split('\n');
  return { request, status, headers: headers.map((line) => line.split(': ', 2) as [string, string]), body };
}

const pager = (page: Page) =>
  page.document.querySelectorAll('nav.pager a').map((link) => [link.text, link.getAttribute('href')]);
