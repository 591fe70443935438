import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { onBothDatabases } from '../support/databases.ts';
import { type Site, siteAt, siteOn } from '../support/site.ts';

const dumps = ['gallery.ndjson', 'people.ndjson'].map((file) =>
  readFileSync(join(import.meta.dir, '../exchanges', file), 'utf8'),
);

interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

/** Each documented path with addresses that it serves, and methods that readers try. */
const asked: [path: string, targets: string[]][] = [
  ['/api/v1/', ['/api/v1/']],
  ['/api/v1/schema/', ['/api/v1/schema/']],
  ['/api/v1/auth/token/', ['/api/v1/auth/token/']],
  ['/api/v1/auth/session/', ['/api/v1/auth/session/']],
  ['/api/v1/auth/sign-up/', ['/api/v1/auth/sign-up/']],
  ['/api/v1/auth/password/', ['/api/v1/auth/password/']],
  ['/api/v1/auth/keys/', ['/api/v1/auth/keys/']],
  ['/api/v1/auth/keys/{id}/', ['/api/v1/auth/keys/1/', '/api/v1/auth/keys/0/']],
  ['/api/v1/auth/invitations/', ['/api/v1/auth/invitations/']],
  [
    '/api/v1/projects/',
    [
      '/api/v1/projects/',
      '/api/v1/projects/?page_size=2&page=2&include=content_type,contributor,parent,media,link',
      '/api/v1/projects/?cursor=&page_size=3&ordering=-karma,title',
      '/api/v1/projects/?fields=id,title',
      '/api/v1/projects/?content_type=x&created__gte=y',
      '/api/v1/projects/?page=99',
    ],
  ],
  [
    '/api/v1/projects/{id}/',
    [
      ...Array.from(
        { length: 9 },
        (_, index) => `/api/v1/projects/${index + 1}/?include=content_type,contributor,parent,media,link`,
      ),
      '/api/v1/projects/20/',
      '/api/v1/projects/23/',
      '/api/v1/projects/404/',
      '/api/v1/projects/1/?fields=nothing',
    ],
  ],
];

const one = '/api/v1/projects/{id}/';
const file = `${one}media/{number}/`;

interface Write {
  readonly as?: string;
  readonly method: string;
  readonly path: string;
  readonly id?: number;
  readonly sent?: unknown;
  /** Files, in a multipart form. */
  readonly files?: readonly string[];
  readonly headers?: Record<string, string>;
  readonly status: number;
}

function formWith(files: readonly string[]): FormData {
  const form = new FormData();
  for (const text of files) form.append('file', new Blob([text]), 'notes.txt');
  return form;
}

/** Writes in their order, each with what it is answered. */
const writes: readonly Write[] = [
  ...[
    { title: 'So' },
    { title: 'So', text: '', tags: '', visibility: 'unlisted', status: 0, content_type: 'photo', link: null },
    { title: 'So', tags: ['a', 'b'], status: 2, content_type: 'link', link: 'https://place.example/' },
    { title: 'So', content_type: 'comment', parent: 3 },
    { title: 'So', id: 1, url: 'x', contributor_name: 'Zoë', karma: 3, copied_from: 2, colour: 'red' },
  ].map((sent) => ({ as: 'ada', method: 'post', path: '/api/v1/projects/', sent, status: 201 })),
  ...[
    {},
    { title: '' },
    { title: 'So', status: 7, tags: 3 },
    { title: 'So', content_type: 'comment' },
    [],
    'x',
  ].map((sent) => ({ as: 'ada', method: 'post', path: '/api/v1/projects/', sent, status: 400 })),
  { method: 'post', path: '/api/v1/projects/', sent: { title: 'So' }, status: 401 },
  { as: 'ada-of-old', method: 'post', path: '/api/v1/projects/', sent: { title: 'So' }, status: 401 },
  { as: 'bruno', method: 'options', path: '/api/v1/projects/', status: 401 },
  { as: 'ada-reads', method: 'post', path: '/api/v1/projects/', sent: { title: 'So' }, status: 403 },
  ...[201, 422].map((status) => ({
    as: 'ada',
    method: 'post',
    path: '/api/v1/projects/',
    sent: { title: `Once ${status}` },
    status,
    headers: { 'Idempotency-Key': 'once' },
  })),
  ...['post', 'put', 'patch'].map((method) => ({
    as: 'ada',
    method,
    path: method === 'post' ? '/api/v1/projects/' : one,
    id: 1,
    sent: 'So',
    status: 415,
    headers: { 'Content-Type': 'text/plain' },
  })),
  { as: 'ada', method: 'put', path: one, id: 1, sent: { title: 'So' }, status: 200 },
  { as: 'ada', method: 'put', path: one, id: 1, sent: { text: 'So' }, status: 400 },
  { as: 'zoe', method: 'put', path: one, id: 1, sent: { title: 'So' }, status: 403 },
  { as: 'zoe', method: 'put', path: one, id: 21, sent: { title: 'So' }, status: 404 },
  { as: 'ada', method: 'patch', path: one, id: 1, sent: {}, status: 200 },
  { as: 'ada', method: 'patch', path: one, id: 1, sent: { tags: ['x'], status: 2 }, status: 200 },
  { as: 'ada', method: 'patch', path: one, id: 1, sent: { visibility: 'so' }, status: 400 },
  { as: 'zoe', method: 'patch', path: one, id: 1, sent: {}, status: 403 },
  ...['put', 'patch', 'delete'].flatMap((method) => [
    { method, path: one, id: 1, sent: { title: 'So' }, status: 401 },
    { as: 'zoe', method, path: one, id: 77, sent: { title: 'So' }, status: 404 },
    {
      as: 'ada',
      method,
      path: one,
      id: 1,
      sent: { title: 'So' },
      status: 412,
      headers: { 'If-Match': '"never"' },
    },
  ]),
  { as: 'zoe', method: 'delete', path: one, id: 1, status: 403 },
  { as: 'zoe', method: 'post', path: `${one}copy/`, id: 1, status: 201 },
  { as: 'zoe', method: 'post', path: `${one}copy/`, id: 9, status: 400 },
  { method: 'post', path: `${one}copy/`, id: 1, status: 401 },
  { as: 'zoe', method: 'post', path: `${one}copy/`, id: 21, status: 404 },
  { as: 'zoe', method: 'get', path: `${one}rating/`, id: 1, status: 404 },
  { as: 'zoe', method: 'put', path: `${one}rating/`, id: 1, sent: { value: 5 }, status: 200 },
  { as: 'zoe', method: 'get', path: `${one}rating/`, id: 1, status: 200 },
  { as: 'zoe', method: 'put', path: `${one}rating/`, id: 1, sent: { value: 6 }, status: 400 },
  { as: 'ada', method: 'put', path: `${one}rating/`, id: 1, sent: { value: 5 }, status: 403 },
  { method: 'get', path: `${one}rating/`, id: 1, status: 401 },
  { as: 'zoe', method: 'delete', path: `${one}rating/`, id: 1, status: 204 },
  { as: 'zoe', method: 'post', path: `${one}comments/`, id: 3, sent: { text: 'So.' }, status: 201 },
  {
    as: 'zoe',
    method: 'post',
    path: `${one}comments/`,
    id: 3,
    sent: { text: 'So.', parent: 9 },
    status: 201,
  },
  { as: 'zoe', method: 'post', path: `${one}comments/`, id: 3, sent: {}, status: 400 },
  { as: 'zoe', method: 'post', path: `${one}comments/`, id: 21, sent: { text: 'So.' }, status: 404 },
  { method: 'post', path: `${one}comments/`, id: 3, sent: { text: 'So.' }, status: 401 },
  { method: 'get', path: `${one}comments/`, id: 3, status: 200 },
  { as: 'ada', method: 'post', path: `${one}media/`, id: 1, files: ['One.', 'Two.'], status: 201 },
  { as: 'ada', method: 'post', path: `${one}media/`, id: 1, files: ['\0'], status: 400 },
  { as: 'ada', method: 'post', path: `${one}media/`, id: 1, sent: {}, status: 400 },
  { as: 'zoe', method: 'post', path: `${one}media/`, id: 1, files: ['One.'], status: 403 },
  { method: 'post', path: `${one}media/`, id: 1, files: ['One.'], status: 401 },
  { method: 'get', path: `${one}media/`, id: 1, status: 200 },
  { method: 'get', path: `${one}media/`, id: 21, status: 404 },
  { method: 'get', path: file, id: 1, status: 200 },
  { method: 'get', path: file, id: 2, status: 404 },
  { as: 'ada', method: 'put', path: file, id: 1, sent: { alt: 'Words.', position: 2 }, status: 200 },
  { as: 'ada', method: 'patch', path: file, id: 1, sent: { position: 1 }, status: 200 },
  { as: 'ada', method: 'patch', path: file, id: 1, sent: { position: 3 }, status: 400 },
  { as: 'zoe', method: 'patch', path: file, id: 1, sent: { position: 1 }, status: 403 },
  { as: 'zoe', method: 'delete', path: file, id: 1, status: 403 },
  { as: 'ada', method: 'delete', path: file, id: 1, status: 204 },
  { as: 'ada', method: 'delete', path: one, id: 2, status: 403 },
  { as: 'ada', method: 'delete', path: one, id: 1, status: 204 },
  { as: 'ada', method: 'get', path: '/api/v1/trash/', status: 200 },
  { method: 'get', path: '/api/v1/trash/', status: 401 },
  { as: 'ada', method: 'options', path: `${one}restore/`, id: 1, status: 200 },
  { as: 'ada', method: 'post', path: `${one}restore/`, id: 1, status: 200 },
  { as: 'zoe', method: 'post', path: `${one}restore/`, id: 1, status: 404 },
  { as: 'ada', method: 'options', path: one, id: 1, status: 200 },
  { as: 'ada', method: 'options', path: '/api/v1/projects/', status: 200 },
  { as: 'mo', method: 'get', path: `${one}lineage/`, id: 1, status: 200 },
  { method: 'get', path: `${one}lineage/`, id: 10, status: 200 },
  { method: 'get', path: `${one}copies/`, id: 1, status: 200 },
  ...['/api/v1/changes/', '/api/v1/tags/', '/api/v1/contributors/'].map((path) => ({
    as: 'mo',
    method: 'get',
    path,
    status: 200,
  })),
  { method: 'get', path: '/api/v1/contributors/{id}/', id: 7, status: 200 },
];

onBothDatabases((kind) => {
  let site: Site;
  let document: Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(async () => {
    site = await siteOn(kind, { dump: dumps.join('') });
    document = (await site.json('/api/v1/schema/')) as Document;
    ajv.addSchema(document, 'openapi');
  });

  const validator = (path: string, method: string, status: number): ValidateFunction => {
    const pointer = [
      'paths',
      path,
      method,
      'responses',
      String(status),
      'content',
      'application/json',
      'schema',
    ];
    const escaped = pointer.map((part) =>
      encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')),
    );
    const found = ajv.getSchema(`openapi#/${escaped.join('/')}`);
    if (!found) throw new Error(`${method} ${path} is not documented to answer ${status}`);
    return found;
  };

  for (const [path, targets] of asked) {
    for (const method of ['GET', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST']) {
      test(`what ${method} ${path} answers fits the document`, async () => {
        const documented = method.toLowerCase() in (document.paths[path] ?? {});
        for (const target of targets) {
          const response = await site.request(target, { method });
          const text = await response.text();
          const body = text === '' ? undefined : JSON.parse(text);
          if (!documented) expect(response.status).toBe(405);
          else if (response.status === 204) expect(body).toBeUndefined();
          else {
            const validate = validator(path, method.toLowerCase(), response.status);
            expect({ target, fits: validate(body), errors: validate.errors }).toEqual({
              target,
              fits: true,
              errors: null,
            });
          }
        }
      });
    }
  }

  const written: [who: 'ada' | 'visitor', method: string, path: string, body: object | undefined][] = [
    ['ada', 'GET', '/api/v1/auth/session/', undefined],
    ['ada', 'POST', '/api/v1/auth/keys/', { name: 'a', expires: null }],
    ['ada', 'POST', '/api/v1/auth/keys/', { name: 'a', access: 'write' }],
    ['ada', 'GET', '/api/v1/auth/keys/', undefined],
    ['ada', 'POST', '/api/v1/auth/keys/', { expires: {} }],
    ['ada', 'POST', '/api/v1/auth/invitations/', {}],
    ['visitor', 'POST', '/api/v1/auth/token/', { username: 'ada', password: 'wrong' }],
    ['visitor', 'POST', '/api/v1/auth/sign-up/', { username: 'grace', password: 'nanoseconds' }],
    ['visitor', 'POST', '/api/v1/auth/sign-up/', {}],
  ];
  test('what is written, and what somebody signed in is answered, fits the document', async () => {
    const open = await siteAt(site.address, { environment: { VITRINE_SIGN_UP: 'open' } });
    const key = await open.key('mo');
    for (const [who, method, path, body] of written) {
      const headers = { 'Content-Type': 'application/json', ...(who === 'ada' && key) };
      const response = await open.request(path, { method, headers, body: body && JSON.stringify(body) });
      const validate = validator(path, method.toLowerCase(), response.status);
      const fits = validate(await response.json());
      expect({ path, status: response.status, fits, errors: validate.errors }).toEqual({
        path,
        status: response.status,
        fits: true,
        errors: null,
      });
    }
  });

  const requestFor = (path: string, method: string): ValidateFunction => {
    const parts = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
    const escaped = parts.map((part) => encodeURIComponent(part.replaceAll('~', '~0').replaceAll('/', '~1')));
    return ajv.getSchema(`openapi#/${escaped.join('/')}`) as ValidateFunction;
  };

  test('what writing answers fits the document, and so does what was accepted', async () => {
    const accepted: string[] = [];
    for (const { as, method, path, id = 0, sent, files, headers = {}, status } of writes) {
      const name = `${as ?? 'a visitor'}: ${method} ${path} ${JSON.stringify(sent ?? files)}`;
      const response = await site.request(path.replace('{id}', String(id)).replace('{number}', '1'), {
        method: method.toUpperCase(),
        headers: {
          ...(as && { Authorization: `Token ${as}` }),
          ...(sent !== undefined && { 'Content-Type': 'application/json' }),
          ...headers,
        },
        body: files ? formWith(files) : sent === undefined ? undefined : JSON.stringify(sent),
      });
      expect({ name, status: response.status }).toEqual({ name, status });
      const described = document.paths[path]?.[method]?.responses ?? {};
      expect(Object.keys(described)).toContain(String(status));
      if (status === 204) {
        expect([name, await response.text(), described[204]?.content]).toEqual([name, '', undefined]);
        continue;
      }
      const validate = validator(path, method, status);
      expect({ name, fits: validate(await response.json()), errors: validate.errors }).toEqual({
        name,
        fits: true,
        errors: null,
      });
      if (status >= 300 || sent === undefined) continue;
      const request = requestFor(path, method);
      expect({ name, fits: request(sent), errors: request.errors }).toEqual({
        name,
        fits: true,
        errors: null,
      });
      accepted.push(name);
    }
    expect(accepted.length).toBeGreaterThan(10);
  });

  test('what the document does not allow to be sent is refused', async () => {
    const wrong = [
      ...[
        {},
        { title: '' },
        { title: 'a'.repeat(201) },
        { title: 'So', status: 7 },
        { title: 'So', tags: {} },
      ],
      ...[
        { title: 'So', visibility: 'secret' },
        { title: 'So', content_type: null },
        { title: 'So', parent: 'x' },
      ],
    ];
    const request = requestFor('/api/v1/projects/', 'post');
    for (const sent of wrong) {
      const response = await site.request('/api/v1/projects/', {
        method: 'POST',
        headers: { Authorization: 'Token ada', 'Content-Type': 'application/json' },
        body: JSON.stringify(sent),
      });
      expect([sent, request(sent), response.status]).toEqual([sent, false, 400]);
    }
  });

  test('a record that nobody asked to cut has every promised member', async () => {
    const fits = ajv.getSchema('openapi#/components/schemas/Project') as ValidateFunction;
    const { results } = (await site.json('/api/v1/projects/')) as { results: unknown[] };
    expect(results.filter((record) => !fits(record))).toEqual([]);
    expect(results.length).toBeGreaterThan(9);
  });

  test('the document is the same on every host, and names no parameter that the API does not know', async () => {
    const other = await site.get('/api/v1/schema/', { Host: 'localhost' });
    expect(await other.json()).toEqual(document);

    const listing = document.paths['/api/v1/projects/'] as unknown as {
      get: { parameters: { name: string }[] };
    };
    for (const { name } of listing.get.parameters) {
      const response = await site.get(`/api/v1/projects/?${name}=`, { Prefer: 'handling=strict' });
      expect({ name, body: await response.text() }).toEqual({
        name,
        body: expect.not.stringContaining('Unknown parameter'),
      });
    }
  });
});
