import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { onBothDatabases } from '../support/databases.ts';
import { type Site, siteAt, siteOn } from '../support/site.ts';

const gallery = readFileSync(join(import.meta.dir, '../exchanges/gallery.ndjson'), 'utf8');

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
      '/api/v1/projects/?page_size=2&page=2&include=content_type,contributor,parent,link',
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
        (_, index) => `/api/v1/projects/${index + 1}/?include=content_type,contributor,parent,link`,
      ),
      '/api/v1/projects/20/',
      '/api/v1/projects/23/',
      '/api/v1/projects/404/',
      '/api/v1/projects/1/?fields=nothing',
    ],
  ],
];

onBothDatabases((kind) => {
  let site: Site;
  let document: Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(async () => {
    site = await siteOn(kind, { dump: gallery });
    document = (await site.json('/api/v1/schema/')) as Document;
    ajv.addSchema(document, 'openapi');
  });
  afterAll(() => site.close());

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
    const key = await open.key('ada', { role: 'moderator' });
    for (const [who, method, path, body] of written) {
      const headers = { 'Content-Type': 'application/json', ...(who === 'ada' && key) };
      const response = await open.request(path, { method, headers, body: body && JSON.stringify(body) });
      const validate = validator(path, method.toLowerCase(), response.status);
      const fits = validate(await response.json());
      expect({ path, status: response.status, fits, errors: validate.errors }).toEqual({
        ...{ path, status: response.status },
        ...{ fits: true, errors: null },
      });
    }
    await open.close();
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
