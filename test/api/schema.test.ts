// The OpenAPI document describes the responses that the API gives and the bodies that it accepts.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { type Site, siteAt, siteOn } from '../support/site.ts';
import { documentedPaths, requests } from './documented-requests.ts';

const galleryWithAccounts = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(import.meta.dir, '../exchanges', file), 'utf8'))
  .join('');

interface Document {
  paths: Record<
    string,
    Record<string, { responses: Record<string, { content?: Record<string, { schema: object }> }> }>
  >;
}

function formWith(files: readonly string[]): FormData {
  const form = new FormData();
  for (const text of files) form.append('file', new Blob([text]), 'notes.txt');
  return form;
}

onBothDatabases((kind) => {
  let site: Site;
  let document: Document;
  const ajv = new Ajv2020({ strict: false, validateFormats: false });
  beforeAll(async () => {
    site = await siteOn(kind, { dump: galleryWithAccounts });
    document = (await site.json('/api/v1/schema/')) as Document;
    ajv.addSchema(document, 'openapi');
  });

  /** The part of the document that these names lead to. */
  function validatorAt(...names: string[]): ValidateFunction {
    const pointer = names.map((name) => encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1')));
    const validate = ajv.getSchema(`openapi#/${pointer.join('/')}`);
    if (!validate) throw new Error(`the document has no ${names.join(' ')}`);
    return validate;
  }

  const contentOf = (type: string) => ['content', type, 'schema'];
  const responseValidator = (path: string, method: string, status: number, type = 'application/json') =>
    validatorAt('paths', path, method, 'responses', String(status), ...contentOf(type));
  const requestValidator = (path: string, method: string) =>
    validatorAt('paths', path, method, 'requestBody', ...contentOf('application/json'));

  function expectValid(name: string, validate: ValidateFunction, body: unknown): void {
    const isValid = validate(body);
    expect({ name, isValid, errors: validate.errors }).toEqual({ name, isValid: true, errors: null });
  }

  for (const [path, targets] of documentedPaths) {
    for (const method of ['GET', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'POST']) {
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

      const described = document.paths[path]?.[method]?.responses ?? {};
      expect(Object.keys(described)).toContain(String(status));
      if (status === 204) {
        expect([name, await response.text(), described[204]?.content]).toEqual([name, '', undefined]);
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

  test('the document is the same on every host', async () => {
    expect(await site.json('/api/v1/schema/', { Host: 'localhost' })).toEqual(document);
  });

  test('the API knows every parameter that the document has for the list of projects', async () => {
    const list = document.paths['/api/v1/projects/'] as unknown as {
      get: { parameters: { name: string }[] };
    };
    for (const { name } of list.get.parameters) {
      const response = await site.get(`/api/v1/projects/?${name}=`, { Prefer: 'handling=strict' });
      expect([name, await response.text()]).toEqual([name, expect.not.stringContaining('Unknown parameter')]);
    }
  });
});
