// Every operation of the OpenAPI document gets requests with unusual bodies and renderings: none is an internal error,
// and the document has the status and the media type of each response.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases } from '../support/databases.ts';
import { type Document, findResponse, listOperations, type Operation } from '../support/openapi.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { type Site, siteOn } from '../support/site.ts';

const galleryWithAccounts = ['gallery.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(import.meta.dir, '../exchanges', file), 'utf8'))
  .join('');

const json = 'application/json';
const form = 'application/x-www-form-urlencoded';
const bytes = (text: string) => Buffer.from(text, 'latin1');
const bodies: [name: string, body: Uint8Array<ArrayBuffer>, type: string][] = [
  ['a text', bytes('"x"'), json],
  ['a list', bytes('[]'), json],
  ['null', bytes('null'), json],
  ['an unclosed object', bytes('{'), json],
  ['nothing', bytes(''), json],
  ['a list of members', bytes('{"title":[],"value":{},"password":[1],"reason":{},"name":9}'), json],
  ['another media type', bytes('x'), 'text/plain'],
  ['JSON that is not UTF-8', bytes('{"title":"\xff"}'), json],
  ['a form that is not UTF-8', bytes('title=\xff'), form],
  ['a form with a text as its content', bytes('_content="x"&_content_type=application/json'), form],
  ['a multipart form without parts', bytes('x'), 'multipart/form-data; boundary=edge'],
];

const renderings: [name: string, query: string, accept: string][] = [
  ['JSON', '', json],
  ['a page', '?format=api', 'text/html'],
  ['problem details', '', 'application/problem+json'],
];

/** Of lists: other resources are not found in these formats. */
const listRenderings: typeof renderings = [
  ['CSV', '?format=csv', '*/*'],
  ['newline-delimited JSON', '', 'application/x-ndjson'],
];

onBothDatabases((kind) => {
  let site: Site;
  let document: Document;
  let people: Person[];
  beforeAll(async () => {
    site = await siteOn(kind, { dump: galleryWithAccounts, environment: { VITRINE_SIGN_UP: 'open' } });
    document = (await site.json('/api/v1/schema/')) as Document;
    people = [visitor(site), await person(site, 'alma'), await person(site, 'zoë.k')];
  });

  /** What the document lacks about a response, or what is wrong with it; undefined if all is well. */
  async function findProblem({ responses }: Operation, response: Response): Promise<string | undefined> {
    const type = response.headers.get('Content-Type')?.split(';')[0];
    const isEndless = type === 'text/event-stream';
    const text = isEndless ? '' : await response.text();
    if (isEndless) await response.body?.cancel();
    if (response.status >= 500) return `${response.status} ${text}`;
    const described = responses[response.status];
    // The document is for programs, which do not get pages. A page says that something was deleted.
    if (type === 'text/html' && (described || response.status === 200)) return undefined;
    if (!described) return `${response.status} is not described: ${text}`;
    const types = Object.keys(findResponse(document, described).content ?? {});
    if (type === undefined ? text !== '' : !types.includes(type))
      return `${response.status} is described as ${types}, not ${type}`;
    return undefined;
  }

  /** The whole list has a path of its own, and `format` in the query leads there too. */
  const findWholeList = (path: string) => document.paths[`${path.replace(/\/$/, '')}.{format}`]?.get;

  for (const [renderingName, query, accept] of renderings) {
    // Problem details are the JSON of an error with another shape: one body for each kind of error shows it.
    const some = bodies.filter(([name]) => /unclosed|members|another/.test(name));
    test.each(renderingName === 'problem details' ? some : bodies)(
      `a body that is %s gets a described response as ${renderingName}`,
      async (_, body, type) => {
        const problems: string[] = [];
        let count = 0;
        for (const { method, path, operation } of listOperations(document)) {
          if (!operation.requestBody) continue;
          for (const sender of people) {
            const target = path.replace('{id}', '1').replace('{number}', '1') + query;
            const headers = { ...(await sender.key()), Accept: accept, 'Content-Type': type };
            const response = await site.request(target, { method, headers, body });
            const problem = await findProblem(operation, response);
            count++;
            if (problem) problems.push(`${method} ${target} by ${sender.username}: ${problem}`);
          }
        }
        expect(problems).toEqual([]);
        expect(count).toBeGreaterThan(60);
      },
    );
  }

  for (const [renderingName, query, accept] of [...renderings, ...listRenderings]) {
    test(`reading is answered as described, as ${renderingName}`, async () => {
      const problems: string[] = [];
      for (const { method, path, operation } of listOperations(document)) {
        if (method !== 'GET') continue;
        const wholeList = listRenderings.some(([name]) => name === renderingName) && findWholeList(path);
        for (const sender of people)
          for (const id of ['1', '21', 'x']) {
            const target =
              path.replace('{id}', id).replace('{number}', id).replace('{format}', 'csv') + query;
            const response = await sender.request(method, target, undefined, { Accept: accept });
            const problem = await findProblem(wholeList || operation, response);
            if (problem) problems.push(`${method} ${target} by ${sender.username}: ${problem}`);
          }
      }
      expect(problems).toEqual([]);
    });
  }

  test('the document describes the pages of deletions, conflicts and the dump', async () => {
    const [, alma, zoe] = people as [Person, Person, Person];
    const operationAt = (method: string, path: string) =>
      listOperations(document).find((found) => found.method === method && found.path === path)
        ?.operation as Operation;
    const expectDescribed = async (status: number, method: string, path: string, response: Response) => {
      expect([path, response.status]).toEqual([path, status]);
      expect(await findProblem(operationAt(method, path), response)).toBeUndefined();
    };

    await expectDescribed(410, 'GET', '/api/v1/changes/', await zoe.get('/api/v1/changes/?since=99999'));
    await expectDescribed(200, 'GET', '/api/v1/me/dump/', await zoe.get('/api/v1/me/dump/'));

    const { id } = (await (await zoe.post('/api/v1/projects/', { title: 'Lamp' })).json()) as { id: number };
    await alma.post(`/api/v1/projects/${id}/report/`, { reason: 'spam' });
    const { results } = await alma.json<{ results: { id: number }[] }>('/api/v1/reports/');
    const decide = () => alma.post(`/api/v1/reports/${results[0]?.id}/decide/`, { decision: 'leave' });
    await expectDescribed(200, 'POST', '/api/v1/reports/{id}/decide/', await decide());
    await expectDescribed(409, 'POST', '/api/v1/reports/{id}/decide/', await decide());
    await expectDescribed(403, 'GET', '/api/v1/reports/', await zoe.get('/api/v1/reports/'));

    const page = { Accept: 'text/html' };
    const deleted = await zoe.request('DELETE', `/api/v1/projects/${id}/`, undefined, page);
    await expectDescribed(200, 'DELETE', '/api/v1/projects/{id}/', deleted);
  });
});
