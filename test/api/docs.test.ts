// The documentation: pages that the server renders from the OpenAPI document.

import { beforeAll, expect, test } from 'bun:test';
import Ajv2020 from 'ajv/dist/2020';
import { type Page, readPage } from '../support/html.ts';
import { type Document, type FoundOperation, findSchema, listOperations } from '../support/openapi.ts';
import { person } from '../support/person.ts';
import { ada, dump, project, type Site, siteOn } from '../support/site.ts';

const base = '/api/v1/docs/';

let site: Site;
let document: Document;
let operations: (FoundOperation & FoundOperation['operation'])[];

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: dump(ada, project(1), project(2)) });
  document = (await site.json('/api/v1/schema/')) as Document;
  operations = listOperations(document).map((found) => ({ ...found, ...found.operation }));
});

const open = async (path: string) => readPage(await site.get(path, { Accept: 'text/html' }));

/** Parsing takes longer than everything else. */
const pages = new Map<string, Promise<Page>>();
function openResource(resource: string): Promise<Page> {
  const page = pages.get(resource) ?? open(`${base}${resource}/`);
  pages.set(resource, page);
  return page;
}

const idOf = (method: string, path: string) =>
  `${method.toLowerCase()}-${
    path
      .replace('/api/v1/', '')
      .match(/[a-z]+/g)
      ?.join('-') ?? 'root'
  }`;

/** An example on the page of a resource. */
async function readExample(method: string, path: string, language: string): Promise<string> {
  const resource = path.split('/')[3];
  const page = await openResource(resource ?? '');
  const [example] = page.document.querySelectorAll(`#${idOf(method, path)} pre[data-copy="${language}"]`);
  return example?.text ?? '';
}

test('the examples name the host of the request, although the page is rendered once for all', async () => {
  const addressesAt = async (headers: Record<string, string>) => {
    const html = await (await site.get(`${base}tags/`, { Accept: 'text/html', ...headers })).text();
    return [...new Set(html.match(/https?:\/\/[\w.]+\/api\/v1\/tags/g))];
  };
  const here = ['http://gallery.example/api/v1/tags'];
  expect(await addressesAt({})).toEqual(here);
  expect(await addressesAt({ Host: 'localhost' })).toEqual(['http://localhost/api/v1/tags']);
  expect(await addressesAt(await site.signIn('ada'))).toEqual(here);
});

test('the overview lists every operation, and leads to it', async () => {
  const page = await open(base);
  expect(page.hasLink('/api/v1/schema/?format=json')).toBe(true);
  expect(page.attributesOf('.operations a', 'href').sort()).toEqual(
    operations.map(({ method, path, tags: [tag] }) => `${base}${tag}/#${idOf(method, path)}`).sort(),
  );
  expect(page.textsOf('.operations li')).toContain('GET /api/v1/projects/ A page of projects.');
});

test('the page of a resource has its operations with all parameters, members and errors', async () => {
  for (const [tag, ofTag] of Map.groupBy(operations, ({ tags: [tag] }) => tag)) {
    const page = await openResource(tag);
    expect(page.attributesOf('.operation', 'id').sort()).toEqual(
      ofTag.map(({ method, path }) => idOf(method, path)).sort(),
    );
    for (const { method, path, summary, parameters = [], requestBody, responses } of ofTag) {
      const operation = `#${idOf(method, path)}`;
      expect(page.textsOf(`${operation} h3`)).toEqual([`${method} ${path.replaceAll(/(?<!^)\{/g, ' {')}`]);
      expect(page.document.querySelector(`${operation} h3 + p`)?.text).toBe(summary?.replaceAll('`', ''));
      const names = page.textsOf(`${operation} dt > code`);
      for (const { name } of parameters) expect(names).toContain(name);
      for (const { schema } of Object.values(requestBody?.content ?? {}))
        for (const name of Object.keys(findSchema(document, schema).properties ?? {}))
          expect(names).toContain(name);
      const statuses = page.textsOf(`${operation} .faint a[href^="${base}#error-"]`);
      expect(statuses).toEqual(Object.keys(responses).filter((status) => status >= '400'));
    }
  }
});

test('every link inside a page leads to an element of it or of the overview', async () => {
  const overview = await open(base);
  for (const tag of new Set(operations.map(({ tags: [tag] }) => tag))) {
    const page = await openResource(tag);
    const ids = new Set(page.attributesOf('[id]', 'id'));
    const links = page.attributesOf('a[href^="#"]', 'href');
    expect(links.filter((link) => !ids.has(link.slice(1)))).toEqual([]);
    const outside = page.attributesOf(`a[href^="${base}#"]`, 'href');
    const overviewIds = new Set(overview.attributesOf('[id]', 'id'));
    expect(outside.filter((link) => !overviewIds.has(link.slice(base.length + 1)))).toEqual([]);
  }
});

test('every example of a body is valid', async () => {
  const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'openapi');
  let validated = 0;
  for (const { path, method, tags, requestBody } of operations) {
    const schema = requestBody?.content['application/json']?.schema;
    const page = await openResource(tags[0] ?? '');
    const [body] = page.textsOf(`#${idOf(method, path)} textarea`);
    if (!schema || body === undefined) continue;
    const validate = ajv.compile({ $ref: `openapi${schema.$ref}` });
    expect([path, validate(JSON.parse(body)), validate.errors]).toEqual([path, true, null]);
    validated++;
  }
  expect(validated).toBeGreaterThan(10);
});

test('the examples for curl, JavaScript and Python', async () => {
  const read = (language: string) => readExample('POST', '/api/v1/projects/', language);
  expect(await read('curl')).toBe(
    [
      "curl -X POST \\\n  -H 'Accept: application/json'",
      "-H 'Authorization: Token YOUR_KEY'",
      "-H 'Content-Type: application/json'",
      '-d \'{"title":"How do we keep a weather balloon logger warm?","content_type":"question","tags":["weather","balloon","sensors"]}\'',
      "'http://gallery.example/api/v1/projects/'",
    ].join(' \\\n  '),
  );
  expect(await read('Python')).toBe(
    [
      'import requests',
      '',
      'response = requests.post(',
      '    "http://gallery.example/api/v1/projects/",',
      '    headers={"Accept":"application/json","Authorization":"Token YOUR_KEY"},',
      '    json={"title":"How do we keep a weather balloon logger warm?","content_type":"question","tags":["weather","balloon","sensors"]},',
      ')',
      'print(response.json())',
    ].join('\n'),
  );
  expect(await readExample('PUT', '/api/v1/contributors/{id}/account/', 'Python')).toContain(
    '    json={"state":"open"},\n',
  );
  expect(await readExample('POST', '/api/v1/projects/{id}/media/', 'curl')).toContain("-F 'file=@photo.jpg'");
});

test.each([
  ['GET', '/api/v1/projects/', 200],
  ['GET', '/api/v1/projects/{id}/', 200],
  ['POST', '/api/v1/projects/', 201],
  ['PATCH', '/api/v1/projects/{id}/', 200],
  ['POST', '/api/v1/projects/{id}/comments/', 201],
  ['GET', '/api/v1/me/dump/', 200],
  ['DELETE', '/api/v1/projects/{id}/', 204],
])('the JavaScript example of %s %s works', async (method, path, status) => {
  const program = await readExample(method, path, 'JavaScript');
  const { Authorization } = await (await person(site, 'ada')).key();
  const responses: Response[] = [];
  const fetch = async (url: string, init: RequestInit) => {
    const response = await site.request(url.replace('http://gallery.example', ''), init);
    responses.push(response);
    return response;
  };
  const AsyncFunction = (async () => {}).constructor as FunctionConstructor;
  const run = new AsyncFunction('fetch', 'console', program.replace('Token YOUR_KEY', Authorization ?? ''));
  const printed: unknown[] = [];
  await run(fetch, { log: (value: unknown) => printed.push(value) });
  expect(responses.map((response) => response.status)).toEqual([status]);
  expect(printed).toHaveLength(1);
});

test('the form that tries an operation opens the browsable API without script', async () => {
  const page = await open(`${base}projects/`);
  const [form] = page.document.querySelectorAll('#get-projects-id form');
  expect(form?.getAttribute('action')).toBe(`${base}open/`);
  expect(form?.querySelector('[name=_path]')?.getAttribute('value')).toBe('/api/v1/projects/{id}/');
  expect(form?.querySelector('[name=id]')?.hasAttribute('required')).toBe(true);

  const path = encodeURIComponent('/api/v1/projects/{id}/');
  const response = await site.get(`${base}open/?_path=${path}&id=2&fields=id%2Ctitle&include=`);
  expect([response.status, response.headers.get('Location')]).toEqual([
    302,
    '/api/v1/projects/2/?fields=id%2Ctitle',
  ]);
});

test('only the paths of this API open, with all their parts', async () => {
  const record = encodeURIComponent('/api/v1/projects/{id}/');
  for (const query of [
    '',
    '?_path=',
    '?_path=https://evil.example/',
    '?_path=/',
    `?_path=${record}`,
    `?_path=${record}&id=`,
  ])
    expect([query, (await site.get(`${base}open/${query}`)).status]).toEqual([query, 404]);

  const response = await site.get(`${base}open/?_path=${record}&id=//evil.example/../x`);
  expect(response.headers.get('Location')).toBe('/api/v1/projects/%2F%2Fevil.example%2F..%2Fx/');
});

test.each(['nonsense', 'Projects', '__proto__', 'constructor', '%00', 'projects%2F1'])(
  'there is no documentation of %p',
  async (name) => {
    const response = await site.get(`${base}${name}/`, { Accept: 'text/html' });
    expect([400, 404]).toContain(response.status);
    expect((await readPage(response)).html).not.toContain('class="operation"');
  },
);

test('pages load only files of this site, which browsers cache for a year', async () => {
  for (const path of [base, `${base}projects/`]) {
    const page = await open(path);
    const files = [
      ...page.attributesOf('script', 'src'),
      ...page.attributesOf('link[rel="stylesheet"]', 'href'),
    ];
    for (const file of files) {
      const response = await site.get(file);
      expect([file, response.status]).toEqual([file, 200]);
      expect(response.headers.get('Cache-Control')).toBe('public, max-age=31536000, immutable');
    }
    const links = [...page.attributesOf('[src]', 'src'), ...page.attributesOf('[href]', 'href')];
    expect(links.filter((link) => /^(https?:)?\/\//.test(link))).toEqual([]);
  }
});

test('the first view of a page is below 60 kB when it is compressed', async () => {
  for (const path of [base, `${base}projects/`]) {
    const page = await open(path);
    const files = [
      ...page.attributesOf('script', 'src'),
      ...page.attributesOf('link[rel="stylesheet"]', 'href'),
    ];
    const texts = await Promise.all(files.map(async (file) => (await site.get(file)).text()));
    const bytes = [page.html, ...texts].map((text) => Bun.gzipSync(text).length);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(60_000);
  }
});

test('responses link to the description of the API', async () => {
  const root = await site.get('/api/v1/');

  expect(root.headers.get('Link')).toBe(
    '</api/v1/schema/>; rel="service-desc", </api/v1/docs/>; rel="service-doc", </.well-known/api-catalog>; rel="api-catalog"',
  );
  for (const path of [base, `${base}projects/`])
    expect(await site.json(path)).toEqual({ schema: 'http://gallery.example/api/v1/schema/' });
});

test.each(['/api/v1/', '/api/v1/projects/', '/api/v1/projects/99/', '/api/v1/auth/session/'])(
  'the page at %p leads to the documentation',
  async (path) => {
    expect((await open(path)).textsOf('a[href="/api/v1/docs/"]')).toContain('Documentation');
  },
);
