// The OpenAPI document describes the responses that the API gives and the bodies that it accepts.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { onBothDatabases } from '../support/databases.ts';
import { type Document, findResponse, type Schema } from '../support/openapi.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { type Site, siteAt, siteOn } from '../support/site.ts';
import { documentedPaths, requests } from './documented-requests.ts';

const galleryWithAccounts = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(import.meta.dir, '../exchanges', file), 'utf8'))
  .join('');

interface AnyDocument extends Document {
  readonly openapi: string;
  readonly info: object;
  readonly servers: unknown;
}

/** Those that the document has wherever they are sent. */
const headersOfResponses = ['ETag', 'Location', 'Retry-After', 'RateLimit', 'WWW-Authenticate', 'Link'];

function formWith(files: readonly string[]): FormData {
  const form = new FormData();
  for (const text of files) form.append('file', new Blob([text]), 'notes.txt');
  return form;
}

/** Programs expect more members in a response than the document has; the tests expect none. */
const withoutOtherMembers = ({ components, ...document }: AnyDocument): object => ({
  ...document,
  components: {
    ...components,
    schemas: Object.fromEntries(
      Object.entries(components.schemas).map(([name, schema]) => [
        name,
        name.endsWith('Request') ? schema : close(schema),
      ]),
    ),
  },
});

function close(schema: Schema): Schema {
  const { properties, items, additionalProperties = false } = schema;
  return {
    ...schema,
    ...(items && { items: close(items) }),
    ...(properties && {
      additionalProperties,
      properties: Object.fromEntries(
        Object.entries(properties).map(([name, member]) => [name, close(member)]),
      ),
    }),
  };
}

onBothDatabases((kind) => {
  let site: Site;
  let document: AnyDocument;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(async () => {
    site = await siteOn(kind, { dump: galleryWithAccounts });
    document = (await site.json('/api/v1/schema/')) as AnyDocument;
    ajv.addSchema(withoutOtherMembers(document), 'openapi');
  });

  /** The part of the document that these names lead to. */
  function validatorAt(...names: string[]): ValidateFunction {
    const pointer = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
    if (!validate) throw new Error(`the document has no ${names.join(' ')}`);
    return validate;
  }

  const contentOf = (type: string) => ['content', type, 'schema'];
  const responsesTo = (path: string, method: string) =>
    Object.entries(document.paths[path] ?? {}).flatMap(([name, operation]) =>
      name === method && 'responses' in operation ? [operation.responses] : [],
    )[0] ?? {};
  function responseValidator(path: string, method: string, status: number, type = 'application/json') {
    const response = responsesTo(path, method)[status];
    const names =
      response && '$ref' in response
        ? response.$ref.split('/').slice(1)
        : ['paths', path, method, 'responses', String(status)];
    return validatorAt(...names, ...contentOf(type));
  }
  const requestValidator = (path: string, method: string) =>
    validatorAt('paths', path, method, 'requestBody', ...contentOf('application/json'));

  function expectValid(name: string, validate: ValidateFunction, body: unknown): void {
    const isValid = validate(body);
    expect({ name, isValid, errors: validate.errors }).toEqual({ name, isValid: true, errors: null });
  }

  for (const [path, targets] of documentedPaths) {
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE', 'POST']) {
      test(`the document describes the responses to ${method} ${path}`, async () => {
        const isDocumented = method.toLowerCase() in (document.paths[path] ?? {});
        for (const target of targets) {
          const response = await visitor(site).request(method, target);
          const text = await response.text();
          if (!isDocumented) expect(response.status).toBe(405);
          else if (response.status === 204) expect(text).toBe('');
          else {
            const validate = responseValidator(path, method.toLowerCase(), response.status);
            expectValid(target, validate, JSON.parse(text));
          }
        }
      });
    }
  }

  test('the document describes the responses about accounts', async () => {
    const open = await siteAt(site.address, { environment: { VITRINE_SIGN_UP: 'open' } });
    const [mo, anonymous] = [await person(open, 'mo'), visitor(open)];
    const expectDescribed = async (
      sender: Person,
      method: string,
      path: string,
      body?: object,
      headers?: Record<string, string>,
    ) => {
      const response = await sender.request(method, path, body, headers);
      const validate = responseValidator(path, method.toLowerCase(), response.status);
      expectValid(`${method} ${path} ${response.status}`, validate, await response.json());
    };

    await expectDescribed(mo, 'GET', '/api/v1/auth/session/');
    await expectDescribed(mo, 'POST', '/api/v1/auth/keys/', { name: 'a', expires: null });
    const key = { name: 'a', access: 'write', password: 'analytical engine' };
    const session = await open.signIn('ada');
    await expectDescribed(anonymous, 'POST', '/api/v1/auth/keys/', key, session);
    await expectDescribed(anonymous, 'POST', '/api/v1/auth/keys/', { expires: {} }, session);
    await expectDescribed(mo, 'GET', '/api/v1/auth/keys/');
    await expectDescribed(mo, 'POST', '/api/v1/auth/invitations/', {});

    const wrong = { username: 'ada', password: 'wrong' };
    await expectDescribed(anonymous, 'POST', '/api/v1/auth/token/', wrong);
    const account = { username: 'grace', password: 'nanoseconds' };
    await expectDescribed(anonymous, 'POST', '/api/v1/auth/sign-up/', account);
    await expectDescribed(anonymous, 'POST', '/api/v1/auth/sign-up/', {});
  });

  test('the document describes the responses about a project, and the bodies that are accepted', async () => {
    let acceptedBodies = 0;
    for (const { as, method, path, id = 0, body, files, headers = {}, status } of requests) {
      const name = `${as ?? 'a visitor'}: ${method} ${path} ${JSON.stringify(body ?? files)}`;
      const response = await visitor(site).request(
        method.toUpperCase(),
        path.replace('{id}', String(id)).replace('{number}', '1'),
        files ? formWith(files) : body,
        { ...(as && { Authorization: `Token ${as}` }), ...headers },
      );
      expect([name, response.status]).toEqual([name, status]);

      const found = responsesTo(path, method)[status];
      if (!found) throw new Error(`${name}: ${status} is not described`);
      const described = findResponse(document, found);
      const sent = headersOfResponses.filter((header) => response.headers.has(header));
      const promised = headersOfResponses.filter((header) => described.headers?.[header]);
      expect([name, sent]).toEqual([name, promised]);
      if (status === 204) {
        expect([name, await response.text(), described.content]).toEqual([name, '', undefined]);
        continue;
      }
      const type = response.headers.get('Content-Type') ?? '';
      expect([name, type]).toEqual([name, headers.Accept ?? 'application/json']);
      expectValid(name, responseValidator(path, method, status, type), await response.json());
      if (status >= 300 || body === undefined) continue;
      expectValid(name, requestValidator(path, method), body);
      acceptedBodies++;
    }
    expect(acceptedBodies).toBeGreaterThan(10);
  });

  test.each<object>([
    {},
    { title: '' },
    { title: 'a'.repeat(201) },
    { title: 'Lamp', status: 7 },
    { title: 'Lamp', tags: {} },
    { title: 'Lamp', visibility: 'secret' },
    { title: 'Lamp', content_type: null },
    { title: 'Lamp', parent: 'x' },
  ])('a body that the document does not allow is refused: %j', async (body) => {
    const ada = await person(site, 'ada');

    expect((await ada.post('/api/v1/projects/', body)).status).toBe(400);
    expect(requestValidator('/api/v1/projects/', 'post')(body)).toBe(false);
  });

  test('a project in a list without parameters has every promised member', async () => {
    const validate = validatorAt('components', 'schemas', 'Project');
    const { results } = await visitor(site).json<{ results: { id: number }[] }>('/api/v1/projects/');
    expect(results.length).toBeGreaterThan(9);
    for (const project of results) expectValid(`project ${project.id}`, validate, project);
  });

  test('`fields` leaves the named members, as the document describes them', async () => {
    const { results } = await visitor(site).json<{ results: object[] }>('/api/v1/projects/?fields=id,media');
    const member = (name: string) => ({ $ref: `openapi#/components/schemas/Project/properties/${name}` });
    const validate = ajv.compile({
      properties: { id: member('id'), media: member('media') },
      required: ['id', 'media'],
      additionalProperties: false,
    });
    expect(results.length).toBeGreaterThan(9);
    for (const project of results) expectValid(JSON.stringify(project), validate, project);
  });

  test('the complete document allows what the server takes beside JSON', async () => {
    const complete = (await site.json('/api/v1/schema/?complete=true')) as AnyDocument;
    const checker = new Ajv2020({ strict: false, validateFormats: false });
    checker.addSchema({ $id: 'complete', ...complete });
    const allows = (path: string[], value: unknown) => {
      const pointer = path.map((part) => part.replaceAll('~', '~0').replaceAll('/', '~1')).join('/');
      return checker.validate({ $ref: `complete#/${pointer}` }, value);
    };
    const list = ['paths', '/api/v1/projects/'];
    const page = complete.paths['/api/v1/projects/']?.get?.parameters?.findIndex(
      ({ name }) => name === 'page',
    );
    const form = [...list, 'post', 'requestBody', 'content', 'application/x-www-form-urlencoded', 'schema'];
    const upload = [
      'paths',
      '/api/v1/projects/{id}/media/',
      'post',
      'requestBody',
      'content',
      'multipart/form-data',
    ];
    const pages = [...list, 'get', 'responses', '200', 'content'];

    expect(allows([...list, 'get', 'parameters', String(page), 'schema'], 'last')).toBe(true);
    expect(allows(form, { title: 'Kite', status: '1', tags: ['a', 'b'] })).toBe(true);
    expect(allows(form, { status: '1' })).toBe(false);
    expect(allows([...upload, 'schema'], { file: 'the content' })).toBe(true);
    expect(allows([...pages, 'text/html', 'schema'], '<!doctype html>')).toBe(true);
    const parts = await site.json('/api/v1/projects/?fields=id,title');
    expect(allows([...pages, 'application/json', 'schema'], parts)).toBe(true);
    expect(allows(['components', 'schemas', 'Contributor'], { id: 1 })).toBe(false);
  });

  test('the document names the server that sends it, and is otherwise the same on every host', async () => {
    const here = (await site.json('/api/v1/schema/')) as AnyDocument;
    expect(here.servers).toEqual([{ url: 'http://gallery.example' }]);
    const servers = [{ url: 'http://localhost' }];
    const info = { ...here.info, contact: { name: 'Vitrine', url: 'http://localhost/' } };
    expect(await site.json('/api/v1/schema/', { Host: 'localhost' })).toEqual({ ...here, servers, info });
  });

  test('the API knows every parameter that the document has for the list of projects', async () => {
    const { parameters = [] } = document.paths['/api/v1/projects/']?.get ?? {};
    expect(parameters.length).toBeGreaterThan(20);
    for (const { name } of parameters) {
      const response = await site.get(`/api/v1/projects/?${name}=`, { Prefer: 'handling=strict' });
      expect([name, await response.text()]).toEqual([name, expect.not.stringContaining('Unknown parameter')]);
    }
  });
});

test('the examples are what the demo gallery returns', async () => {
  const demo = readFileSync(join(import.meta.dir, '../../src/features/demo/gallery.ndjson'), 'utf8');
  const site = await siteOn('SQLite', { dump: demo });
  const { components } = (await site.json('/api/v1/schema/')) as Document;
  const read = async (path: string) =>
    JSON.parse(
      (await (await site.get(path)).text()).replaceAll(
        'http://gallery.example',
        'https://gallery.example.org',
      ),
    );

  const { Project, Contributor, Tag } = components.schemas;
  expect(await read('/api/v1/projects/60/')).toEqual(Project?.examples?.[0]);
  expect(await read('/api/v1/contributors/10/')).toEqual(Contributor?.examples?.[0]);
  const { results } = await read('/api/v1/tags/?search=classroom');
  expect(results).toEqual(Tag?.examples);
});

test('tools get the document in OpenAPI 3.0 and under its own media type', async () => {
  const site = await siteOn('SQLite');
  const older = await site.get('/api/v1/schema/?openapi=3.0');
  const { openapi, info, components } = (await older.json()) as AnyDocument;
  expect([openapi, info]).toEqual([
    '3.0.3',
    expect.objectContaining({ license: { name: 'MIT', url: 'https://spdx.org/licenses/MIT.html' } }),
  ]);
  const { copied_from, status } = components.schemas.Project?.properties ?? {};
  expect(copied_from).toMatchObject({ type: 'integer', minimum: 1, nullable: true });
  expect(status).toMatchObject({ allOf: [{ $ref: '#/components/schemas/ProjectStatus' }] });
  expect(JSON.stringify(components)).not.toMatch(/"type":(\[|"null")|"examples":|"const":/);

  const typeFor = async (accept: string) => {
    const { status, headers } = await site.get('/api/v1/schema/', { Accept: accept });
    return [status, headers.get('Content-Type')];
  };
  const ownType = 'application/vnd.oai.openapi+json';
  expect(await typeFor(ownType)).toEqual([200, ownType]);
  expect(await typeFor(`${ownType}, application/json`)).toEqual([200, ownType]);
  expect(await typeFor(`application/json, ${ownType};q=0.5`)).toEqual([200, 'application/json']);
  expect(await typeFor('application/*')).toEqual([200, 'application/json']);
  expect(await typeFor(`${ownType};q=0`)).toEqual([406, 'application/json']);
  expect((await site.get('/api/v1/projects/', { Accept: ownType })).status).toBe(406);
  expect((await site.get('/api/v1/schema/?openapi=2')).status).toBe(400);
});
