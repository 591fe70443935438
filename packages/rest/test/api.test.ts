// What `createApi` adds to resources: limits, a cache, and hosts.

import { expect, test } from 'bun:test';
import { z } from 'zod';
import { listOperation, NotSignedIn, operation, type Resource } from '../src/index.ts';
import { type ApiOptions, createApi, createKeyAuthenticator, createLog } from '../src/server.ts';

const note = z.object({ id: z.int() }).meta({ id: 'Note' });
const listing = {
  cursorScope: 'notes',
  count: async () => 0,
  page: async () => [],
  seek: async () => [],
  positionOf: () => 0,
  async *batches() {},
};
const listNotes = (name: string): Resource<string> => ({
  path: `/api/${name}/`,
  name,
  description: `All ${name}.`,
  operations: {
    GET: listOperation({
      operationId: `list${name}`,
      summary: 'Lists notes.',
      record: note,
      cursorSecret: 'secret',
      findListing: () => listing,
    }),
  },
});

function open(options: Partial<ApiOptions<string>> = {}) {
  let reads = 0;
  let logged = '';
  const counter: Resource<string> = {
    path: '/api/reads/',
    name: 'Reads',
    description: 'How often it was read.',
    operations: {
      GET: operation({
        operationId: 'getReads',
        summary: 'The number of reads.',
        handle: async () => ({ data: { reads: ++reads } }),
      }),
      POST: operation({
        operationId: 'createRead',
        summary: 'Fails.',
        checkPermission(viewer) {
          if (viewer === '') throw new NotSignedIn();
        },
        async handle() {
          throw new Error('a bug');
        },
      }),
    },
  };
  const log = createLog({
    write(text: string) {
      logged += text;
    },
  });
  const api = createApi<string>({
    title: 'Notes',
    version: '1',
    description: 'Notes.',
    root: '/api/',
    resources: [listNotes('notes'), listNotes('drafts'), counter],
    authenticator: createKeyAuthenticator({
      anonymous: '',
      findByKey: (key) => (key.startsWith('key-') ? key.slice(4) : undefined),
      nameOf: (name) => name,
    }),
    allowedHosts: ['example.org'],
    log,
    ...options,
  });
  const send = async (path: string, init: RequestInit = {}, address = '192.0.2.1') => {
    const headers = { Host: 'example.org', ...(init.headers as Record<string, string>) };
    const request = new Request(`http://example.org${path}`, { ...init, headers });
    return api.fetch(request, { peerAddress: () => address });
  };
  const readLog = () => {
    log.flush();
    return logged;
  };
  return { api, send, readLog };
}

test('without a generation nothing is cached; with one, the second response to an address is', async () => {
  const read = async ({ send }: ReturnType<typeof open>, times: number) => {
    for (let time = 1; time < times; time++) await send('/api/reads/');
    return (await send('/api/reads/')).json();
  };
  expect(await read(open(), 4)).toEqual({ reads: 4 });

  let generation = 1;
  const cached = open({ generation: () => generation });
  expect(await read(cached, 4)).toEqual({ reads: 2 });
  generation++;
  expect(await read(cached, 1)).toEqual({ reads: 3 });
  // Who has a key gets a response of their own.
  const own = await cached.send('/api/reads/', { headers: { Authorization: 'Token key-ada' } });
  expect(await own.json()).toEqual({ reads: 4 });
});

test('viewers and addresses have limits, and a wrong key counts for its address', async () => {
  const { send } = open({ requestsPerMinute: 2 });
  const status = async (key?: string, address?: string) =>
    (await send('/api/notes/', key ? { headers: { Authorization: `Token ${key}` } } : {}, address)).status;
  expect([await status(), await status('wrong'), await status(), await status('other')]).toEqual([
    200, 401, 429, 429,
  ]);
  expect([await status('key-ada'), await status('key-ada'), await status('key-ada')]).toEqual([
    200, 200, 429,
  ]);
  expect([await status('key-bob'), await status(undefined, '192.0.2.2')]).toEqual([200, 200]);
});

test('the log says of a host how it is allowed, and has the stack of a bug that the response does not name', async () => {
  const { send, readLog } = open();
  expect((await send('/api/', { headers: { Host: 'example.com' } })).status).toBe(400);
  const failed = await send('/api/reads/', { method: 'POST', headers: { Authorization: 'Token key-ada' } });
  expect([failed.status, await failed.text()]).toEqual([500, expect.not.stringContaining('a bug')]);
  expect(readLog()).toContain(
    'Requests for the host example.com are refused. If it is yours, add it to allowedHosts.',
  );
  expect(readLog()).toContain('Error: a bug');
});

test('two lists of the same records have one schema in the OpenAPI document', async () => {
  const { paths, components } = await (await open().send('/api/schema/')).json();
  const schemaOf = (path: string) => paths[path].get.responses[200].content['application/json'].schema;
  expect(schemaOf('/api/notes/')).toEqual({ $ref: '#/components/schemas/NotePage' });
  expect(schemaOf('/api/drafts/')).toEqual({ $ref: '#/components/schemas/NotePage' });
  expect(components.schemas.NotePage).toMatchObject({ type: 'object' });
});

test('pages of other origins may write if they are named', async () => {
  const write = { method: 'POST', headers: { Authorization: 'Token key-ada', Origin: 'https://a.example' } };
  expect((await open().send('/api/reads/', write)).status).toBe(403);
  expect((await open({ writingOrigins: ['https://a.example'] }).send('/api/reads/', write)).status).toBe(500);
});

test('a server that is drained closes its connections', async () => {
  const { api, send } = open();
  api.drain();
  expect((await send('/api/notes/')).headers.get('Connection')).toBe('close');
});
