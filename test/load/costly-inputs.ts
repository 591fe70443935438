// npm run test:load: whatever a client sends, the other requests wait for at most 50 milliseconds. See docs/limits.md. An
// input that turns out to be costly gets an entry here.

import { expect, test } from 'bun:test';
import { setImmediate } from 'node:timers/promises';
import sql, { raw } from 'sql-template-tag';
import { importDump } from '../../src/features/export-import/import.ts';
import { type Kind, onBothDatabases, onOneDatabase } from '../support/databases.ts';
import { type Relation, wordParts, zip } from '../support/documents.ts';
import { EventReader } from '../support/event-reader.ts';
import { appendChangesOfEach, appendHiddenChanges } from '../support/hidden-changes.ts';
import { longestBlock } from '../support/loop-delay.ts';
import { optionsOf } from '../support/passkeys.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { ada, contributor, dump, pathOf, project, type Site, siteOn } from '../support/site.ts';
import { limitTime } from '../support/waiting.ts';

const packetBytes = 64 * 1024;

interface CostlyInput {
  readonly name: string;
  /** Lines of the dump besides Ada and her project. */
  readonly lines?: readonly string[];
  /** Prepares the site and the request. Only the request is measured, several times. */
  prepare(ada: Person): Promise<() => Promise<Response>>;
  readonly status: number;
}

const maxTextLength = 100_000;
const fill = (piece: string) => piece.repeat(maxTextLength / piece.length);
const projectPath = '/api/v1/projects/1/';
const firstPage = pathOf(1);

/** The text is a little different each time: otherwise nothing would be written. */
const writes = (name: string, text: string): CostlyInput => ({
  name: `a text of ${name}`,
  prepare: async (ada) => {
    let count = 0;
    return () => ada.patch(projectPath, { text: `${++count}${text}`.slice(0, maxTextLength) });
  },
  status: 200,
});

const previews = (name: string, text: string): CostlyInput => ({
  name: `a preview of ${name}`,
  prepare: async (ada) => () => ada.send('/preview/', { text }),
  status: 200,
});

async function publish(ada: Person, text: string): Promise<void> {
  const response = await ada.patch(projectPath, { text });
  if (response.status !== 200) throw new Error(await response.text());
}

const streamedProjects = 500;
const manyTags = Array.from({ length: 20 }, (_, number) => `tag number ${number}`);

const links = fill('http://a.b?');
const table = `${'|a'.repeat(500)}|\n${'|-'.repeat(500)}|\n${'a\n'.repeat(48_000)}`;

const manyNames = Array.from({ length: 200_000 }, (_, number) => `n${number.toString(36)}`);

const chineseCharacters = Array.from({ length: 59_000 }, (_, index) =>
  String.fromCodePoint(index < 20_000 ? 0x4e00 + index : 0x20000 + index - 20_000),
).join('');

const characters = (count: number, first: number, range: number) =>
  Array.from({ length: count }, (_, index) => String.fromCodePoint(first + ((index * 7919) % range))).join(
    '',
  );
const koreanWords = characters(66_000, 0xac00, 11_171).replace(/../gu, '$& ');
/** Each is a word of katakana in a square. */
const squaredWords = characters(maxTextLength, 0x3300, 88);

/** Words of six letters with the same hash in SQLite's full-text index: their last three letters balance the others. */
function collidingWords(): string {
  const hash = (letters: string, state: number) =>
    [...letters].reduceRight((hash, letter) => ((hash << 3) ^ hash ^ letter.charCodeAt(0)) & 0x7fff, state);
  const letters = [...'abcdefghijklmnopqrstuvwxyz'];
  const threes = letters.flatMap((a) => letters.flatMap((b) => letters.map((c) => `${a}${b}${c}`)));
  const endings = Map.groupBy(threes, (ending) => hash('\0\0\0', hash(ending, 13)));
  const words = threes.flatMap((beginning) =>
    (endings.get(hash(beginning, 0)) ?? []).map((ending) => `${beginning}${ending}`),
  );
  return words.join(' ').slice(0, maxTextLength);
}

/** A new passkey whose binary parts are these bytes. */
const createsPasskey = (name: string, bytes: Uint8Array): CostlyInput => ({
  name: `a passkey of ${name}`,
  async prepare(ada) {
    const path = '/account/passkeys/';
    const id = 'AAAA';
    return async () => {
      const { challenge } = await optionsOf<{ challenge: string }>(ada, path, { name: 'x' });
      const clientData = { type: 'webauthn.create', challenge, origin: 'http://gallery.example' };
      const response = {
        clientDataJSON: Buffer.from(JSON.stringify(clientData)).toString('base64url'),
        attestationObject: Buffer.from(bytes).toString('base64url'),
        transports: [],
      };
      const members = { id, rawId: id, type: 'public-key', clientExtensionResults: {}, response };
      return ada.browser.send(path, { name: 'x', credential: JSON.stringify(members) });
    };
  },
  status: 400,
});

function hundredLongProjects(format: string): CostlyInput {
  return {
    name: `a hundred long projects, as ${format}`,
    prepare: async (ada) => {
      await importLongProjects(ada.site, 100, fill('"text" & '));
      let requests = 0;
      return () =>
        ada.browser.get(`/api/v1/projects/?page_size=100&format=${format}&n=${++requests}`, {
          Accept: 'text/html',
        });
    },
    status: 200,
  };
}

/** One for each round of the measurement. */
const leavers = [2, 3, 4, 5];

const reporters = 60;
const reported = 1000;
const people = Array.from({ length: reported }, (_, index) => 1000 + index);

/** Each of these people has a project. */
const manyPeople = people.flatMap((id) => [contributor(id, `pupil${id}`), project(id, { contributor: id })]);

/** Each of the reporters reports each project. */
const manyReports = sql`
  with recursive numbers (n) as (select 0 union all select n + 1 from numbers where n < ${raw(String(reporters * reported - 1))})
  insert into report (id, project, contributor, reason, words, created, modified, decision)
  select n + 1, 1000 + n % ${raw(String(reported))}, 1000 + n / ${raw(String(reported))}, 'spam', '', 1, 1, null from numbers`;

/** What lies above the database. */
const inputsOfOneDatabase: readonly CostlyInput[] = [
  // In CBOR, 0x81 begins a list with one item, and 0xb9 a map with as many members as the next two bytes say.
  createsPasskey('lists in lists', new Uint8Array(15_000).fill(0x81)),
  createsPasskey('many members', Uint8Array.of(0xb9, 0x1d, 0, ...new Uint8Array(14_997))),
  previews('beginnings of links', links),
  previews('short links', fill('http://a.b/ ')),
  previews('opening brackets', fill('![')),
  previews('a table with a cell for every two characters', table),
  {
    name: 'a file whose name is one letter with many marks',
    prepare: async (ada) => () => {
      const form = new FormData();
      form.set('file', new File(['text'], `a${'\u0301\u0323'.repeat(500_000)}.txt`));
      return ada.post(`${projectPath}media/`, form);
    },
    status: 201,
  },
  {
    name: 'a document of 24 MB',
    prepare: async (ada) => {
      const fonts = Array.from(
        { length: 24 },
        (_, index) => [`word/${index}.ttf`, noise(1_000_000)] as const,
      );
      const list = fonts.map((_, index): Relation => [`r${index}`, 'font', `${index}.ttf`]);
      const sent = zip({ ...wordParts('<w/>', list), ...Object.fromEntries(fonts) });
      // The body is made before, because making it is the client's work.
      const form = new FormData();
      form.append('file', new Blob([sent]), 'long.docx');
      const encoded = new Response(form);
      const headers = { ...(await ada.key()), 'Content-Type': encoded.headers.get('Content-Type') ?? '' };
      const body = await encoded.bytes();
      return () => ada.site.request(`${projectPath}media/`, { method: 'POST', headers, body });
    },
    status: 201,
  },
  {
    name: 'the page of a text that is long to render',
    prepare: async (ada) => {
      await publish(ada, table);
      return () => ada.browser.get(firstPage);
    },
    status: 200,
  },
  {
    name: 'a feed of texts that are long to render',
    prepare: async (ada) => {
      for (let count = 0; count < 10; count++)
        await ada.post('/api/v1/projects/', { title: 'Links', text: links.slice(0, 9_900) });
      return () => ada.browser.get('/feed.atom');
    },
    status: 200,
  },
  {
    name: 'a feed of tables with hundreds of columns',
    prepare: async (ada) => {
      const row = (cell: string) => Array.from({ length: 400 }, () => cell).join('|');
      const text = `${row('a')}\n${row('-')}\n${'b\n'.repeat(4000)}`;
      for (let count = 0; count < 24; count++) await ada.post('/api/v1/projects/', { title: 'x', text });
      return () => ada.browser.get('/feed.atom');
    },
    status: 200,
  },
  {
    name: 'a feed of texts with thousands of line feeds',
    prepare: async (ada) => {
      for (const filler of ['\n', '\n> ', ' ', '\n - ', '-', '|', '[', '> '])
        for (let count = 0; count < 4; count++)
          await ada.post('/api/v1/projects/', {
            title: 'x',
            text: `# a\n${filler.repeat(4000)}${'a'.repeat(20_000)}`,
          });
      return () => ada.browser.get('/feed.atom');
    },
    status: 200,
  },
  {
    name: 'a history of long texts that have little in common',
    prepare: async (ada) => {
      // As in a server. To compare them whole takes a minute.
      limitTime('comparison', 500);
      for (let version = 0; version < 10; version++)
        await publish(
          ada,
          Array.from({ length: 9000 }, (_, line) => `${(line * 7919 * (version + 1)) % 9973}`).join('\n'),
        );
      return () => ada.browser.get(`${firstPage}history/`);
    },
    status: 200,
  },
  {
    name: 'the name of a visitor who signs in, one letter with many marks',
    prepare:
      async ({ site }) =>
      () =>
        signIn(site, `a${'\u0301\u0323'.repeat(16_000)}`),
    status: 400,
  },
  ...[
    formOf('many names', manyNames.join('&')),
    formOf('one name', 'a&'.repeat(900_000)),
    {
      name: 'JSON of many members',
      type: 'application/json',
      body: `{${manyNames.map((name) => `"${name}":0`)}}`,
    },
    { name: 'JSON of many lists', type: 'application/json', body: `{"tags":[${'[],'.repeat(600_000)}[]]}` },
    { name: 'JSON of nested lists', type: 'application/json', body: '['.repeat(2_000_000) },
    {
      name: 'JSON of many tags',
      type: 'application/json',
      body: `{"title":"x","tags":"${'a,'.repeat(900_000)}"}`,
    },
    {
      name: 'a form of many parts',
      type: 'multipart/form-data; boundary=a',
      body: '--a\r\nContent-Disposition: form-data; name="t"\r\n\r\nx\r\n'.repeat(400_000),
    },
  ].map(refused),
  sendsFile('full of the characters of the boundary', 'a'.repeat(8_000_000)),
  sendsFile('of 24 megabytes', 'text '.repeat(4_800_000)),
  sendsFile('with a name of escaped quotation marks', 'text', '\\"'.repeat(1_000_000)),
  hundredLongProjects('api'),
  hundredLongProjects('table'),
  ...['api', 'table'].map(
    (format): CostlyInput => ({
      name: `texts that begin like a URL and never end, as ${format}`,
      prepare: async (ada) => {
        await importLongProjects(ada.site, 20, `http://${'a'.repeat(99_000)}/\n<&>`);
        let requests = 0;
        return () =>
          ada.browser.get(`/api/v1/projects/?page_size=100&format=${format}&n=${++requests}`, {
            Accept: 'text/html',
          });
      },
      status: 200,
    }),
  ),
  {
    name: 'the page of the OpenAPI document',
    prepare: async (ada) => {
      let requests = 0;
      return () => ada.browser.get(`/api/v1/schema/?n=${++requests}`, { Accept: 'text/html' });
    },
    status: 200,
  },
  {
    name: 'a page that shows a text that is far too long again',
    prepare: async (ada) => () =>
      ada.patch(projectPath, { text: '&'.repeat(1_900_000) }, { Accept: 'text/html' }),
    status: 400,
  },
  {
    name: 'a query of thousands of parameters',
    prepare: async (ada) => () =>
      ada.get(`/api/v1/projects/?${manyNames.slice(0, 3000).join('&')}`, { Prefer: 'handling=strict' }),
    status: 400,
  },
];

const inputsOfBoth: readonly CostlyInput[] = [
  hundredLongProjects('json'),
  writes('59,000 different Chinese characters', chineseCharacters),
  writes('Korean words of two different letters', koreanWords),
  writes('characters that each stand for a word', squaredWords),
  writes('words that share a slot in the hash table of the search index', collidingWords()),
  writes('characters that stand for eighteen others', fill('\ufdfa')),
  writes('one letter with many marks', `a${fill('\u0301\u0323')}`),
  {
    name: 'a search that finds nothing, among very many words of one letter',
    prepare: async (ada) => {
      await ada.site.database.transaction((transaction) => transaction.run(crowdOfWords));
      // A different text each time: the answer is not one from memory.
      let count = 0;
      return () => ada.browser.get(`/?search=aaa${'+'.repeat(++count)}`);
    },
    status: 200,
  },
  {
    name: 'a change of the visibility of a project with very many comments',
    lines: Array.from({ length: 2000 }, (_, index) =>
      project(index + 10, { content_type: 'comment', parent: 1, tags: index < 500 ? [`tag ${index}`] : [] }),
    ),
    prepare: async (ada) => {
      let count = 0;
      return () => ada.patch(projectPath, { visibility: ++count % 2 ? 'private' : 'public' });
    },
    status: 200,
  },
  {
    name: 'the leaving of a contributor who has several projects with very many comments',
    lines: leavers.flatMap((id) => [
      contributor(id, `leaver${id}`),
      ...[1, 2, 3]
        .map((number) => id * 100_000 + number * 10_000)
        .flatMap((hub) => [
          project(hub, { contributor: id }),
          ...Array.from({ length: 1500 }, (_, index) =>
            project(hub + index + 1, { content_type: 'comment', parent: hub }),
          ),
        ]),
    ]),
    prepare: async ({ site }) => {
      const people = await Promise.all(leavers.map((id) => person(site, `leaver${id}`)));
      return async () => people.shift()?.delete('/api/v1/me/', { items: 'delete' }) ?? Response.error();
    },
    status: 204,
  },
  {
    name: 'a new name of a contributor with long projects',
    prepare: async (ada) => {
      for (let count = 0; count < 4; count++)
        await ada.post('/api/v1/projects/', { title: 'Long', text: chineseCharacters });
      let renames = 0;
      return () => ada.patch('/api/v1/me/', { first_name: `Ada ${++renames}` });
    },
    status: 200,
  },
  {
    name: 'a new name of a contributor with many projects',
    prepare: async (ada) => {
      await importProjects(ada.site, 3000);
      let renames = 0;
      return () => ada.patch('/api/v1/me/', { last_name: `King ${++renames}` });
    },
    status: 200,
  },
  {
    name: 'a late page of tens of thousands of tags',
    prepare: async (ada) => {
      const tags = Array.from({ length: 3000 }, (_, project) =>
        Array.from({ length: 20 }, (_, tag) => `tag ${project} ${tag}`),
      );
      await importProjects(ada.site, tags.length, (index) => ({ tags: tags[index] }));
      let requests = 0;
      return () => ada.get(`/api/v1/tags/?page=${2900 + ++requests}`);
    },
    status: 200,
  },
  {
    name: 'the changes in a log of hundreds of thousands that the viewer may not see',
    prepare: async (ada) => {
      await appendHiddenChanges(ada.site, 400_000);
      let since = 0;
      return () => visitor(ada.site).get(`/api/v1/changes/?since=${++since}`);
    },
    status: 200,
  },
  {
    name: 'five hundred changes at once that ninety-nine streams filter, each in another way',
    lines: Array.from({ length: streamedProjects }, (_, index) => project(index + 1, { tags: manyTags })),
    prepare: async ({ site }) => {
      const path = '/api/v1/changes/stream/';
      const follow = async (query = '') => new EventReader(await site.get(path + query));
      const streams: EventReader[] = [];
      for (let number = 0; number < 99; number++) streams.push(await follow(`?tags=none${number}`));
      // The stream that was opened last gets each change last.
      const last = await follow();
      return async () => {
        await appendChangesOfEach(streamedProjects, site);
        await last.take(streamedProjects);
        return site.get(projectPath);
      };
    },
    status: 200,
  },
  {
    name: 'the lineage of a project with ten thousand copies',
    prepare: async (ada) => {
      await importProjects(ada.site, 10_000, () => ({ copied_from: 1 }));
      let requests = 0;
      return () => visitor(ada.site).get(`${projectPath}lineage/?limit=${10_000 - ++requests}`);
    },
    status: 200,
  },
  {
    name: 'the queue of a moderator with tens of thousands of reports',
    lines: [contributor(2, 'mo'), ...manyPeople],
    prepare: async ({ site }) => {
      await site.database.transaction((transaction) => transaction.run(manyReports));
      const mo = await person(site, 'mo', { role: 'moderator' });
      let requests = 0;
      return () => mo.browser.get(`/moderation/?page=1&n=${++requests}`);
    },
    status: 200,
  },
  {
    name: 'an export of one’s own long projects',
    prepare: async (ada) => {
      await importLongProjects(ada.site, 100, fill('text '));
      return async () => {
        const response = await ada.get('/api/v1/me/dump/');
        for await (const _ of response.body ?? []);
        return response;
      };
    },
    status: 200,
  },
  {
    name: 'a whole list with long projects',
    lines: Array.from({ length: 10_000 }, (_, index) => project(index + 1000)),
    prepare: async (ada) => {
      await importLongProjects(ada.site, 100, fill('"text" & '));
      return async () => {
        const response = await ada.get('/api/v1/projects/?format=csv&ordering=-karma');
        for await (const _ of response.body ?? []);
        return response;
      };
    },
    status: 200,
  },
];

function noise(length: number): Buffer {
  const bytes = Buffer.alloc(length);
  for (let at = 0; at < length; at += 50_000) crypto.getRandomValues(bytes.subarray(at, at + 50_000));
  return bytes;
}

/** As somebody adds them who changes a title again and again: all begin and end with the same letter. */
const crowdOfWords = sql`
  with recursive numbers (number) as (select 100000 union all select number + 1 from numbers where number < 900000)
  insert into suggestion_word
  select 'a' || number || 'aaaaaaaaaaaaaaaa', 'a' || number || 'aaaaaaaaaaaaaaaa' from numbers`;

/** Projects of ada, with ids from 100. */
async function importProjects(
  { database, files }: Site,
  count: number,
  membersOf: (index: number) => Record<string, unknown> = () => ({}),
): Promise<void> {
  const lines = Array.from({ length: count }, (_, index) => project(100 + index, membersOf(index)));
  await importDump(database, files, 'a test', new Blob([dump(ada, ...lines)]).stream());
}

/** Without words in the search index, which take long to make. */
async function importLongProjects(site: Site, count: number, text: string): Promise<void> {
  await importProjects(site, count);
  await site.database.transaction((transaction) =>
    transaction.run(sql`update project set text = ${text} where id >= 100 and id < ${100 + count}`),
  );
}

interface RefusedBody {
  readonly name: string;
  readonly type: string;
  readonly body: string;
}

function formOf(name: string, body: string): RefusedBody {
  return { name: `a form of ${name}`, type: 'application/x-www-form-urlencoded', body };
}

function refused({ name, type, body }: RefusedBody): CostlyInput {
  return {
    name,
    prepare: async (ada) => () => sendBody(ada, '/api/v1/projects/', type, body),
    status: 400,
  };
}

/** The body is made before, because making it is the client's work. */
function sendsFile(name: string, text: string, fileName = 'a.txt'): CostlyInput {
  const part = `--a\r\nContent-Disposition: form-data; name="file"; filename="${fileName}"\r\n\r\n`;
  const body = Buffer.from(`${part}${text}\r\n--a--\r\n`);
  return {
    name: `a file ${name}, with an Idempotency-Key`,
    prepare: async (ada) => () =>
      sendBody(ada, `${projectPath}media/`, 'multipart/form-data; boundary=a', inPackets(body)),
    status: 201,
  };
}

/** As a body arrives from the network. */
function inPackets(body: Buffer<ArrayBuffer>): ReadableStream<Uint8Array<ArrayBuffer>> {
  let sent = 0;
  return new ReadableStream({
    async pull(controller) {
      await setImmediate();
      controller.enqueue(body.subarray(sent, sent + packetBytes));
      sent += packetBytes;
      if (sent >= body.length) controller.close();
    },
  });
}

async function sendBody(
  ada: Person,
  path: string,
  type: string,
  body: string | ReadableStream<Uint8Array<ArrayBuffer>>,
): Promise<Response> {
  const headers = { 'Content-Type': type, 'Idempotency-Key': crypto.randomUUID(), ...(await ada.key()) };
  return ada.site.request(path, { method: 'POST', headers, body });
}

function signIn(site: Site, username: string): Promise<Response> {
  return site.request('/api/v1/auth/token/', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ username, password: 'a wrong password' }),
  });
}

function testInput(kind: Kind, { name, lines = [], prepare, status }: CostlyInput): void {
  test(`the other requests do not wait for ${name}`, async () => {
    const site = await siteOn(kind, { dump: dump(ada, project(1), ...lines) });
    const send = await prepare(await person(site, 'ada'));

    const statuses: number[] = [];
    const longest = await longestBlock(async () => statuses.push((await send()).status));

    expect(statuses).toEqual(statuses.map(() => status));
    expect(longest).toBeLessThan(1);
  });
}

onOneDatabase((kind) => {
  for (const input of inputsOfOneDatabase) testInput(kind, input);
});

onBothDatabases((kind) => {
  for (const input of inputsOfBoth) testInput(kind, input);
});
