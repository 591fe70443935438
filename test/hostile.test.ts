// Any request gets a proper response: never an internal error, always complete, and no text of the data or of the
// request becomes markup.

import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { onBothDatabases } from './support/databases.ts';
import { withoutOurScripts } from './support/scripts.ts';
import { contributor, dump, project, type Site, siteOn } from './support/site.ts';

const markup = '"\'><script>x</script><x-mark on=1>&lt;x-mark&gt;</title></pre><!--';

const gallery = dump(
  contributor(1, 'ada', { first_name: markup, last_name: '\u2028</script><x-mark>' }),
  contributor(2, '@.+_-é漢', { first_name: '\u202e', last_name: '👩‍👩‍👧' }),
  project(1, { title: markup, text: `${markup}\n<SCRIPT src=//x>\n{{x}} \${x} %s`, tags: ['<x-mark>', "'"] }),
  project(2, { title: '漢字かな', slug: 'x', copied_from: 1, tags: ['%', '100%', '_', '\\', '漢'] }),
  project(3, { title: "or 1=1 --';", content_type: 'link', link: 'http://x/"><x-mark>', contributor: 2 }),
  project(Number.MAX_SAFE_INTEGER, { title: '\ufdfa'.repeat(200), contributor: 2, copied_from: 999 }),
);

/** Behind a trusted proxy: the X-Forwarded headers are read too. */
const options = {
  dump: gallery,
  peer: '10.1.2.3',
  environment: { VITRINE_TRUSTED_PROXIES: '10.0.0.0/8', VITRINE_ALLOWED_HOSTS: 'gallery.example,.b.example' },
};

/** The problems of the response to a request. */
async function findProblems(site: Site, target: string, init: RequestInit = {}): Promise<string[]> {
  const before = site.logged.length;
  const response = await site.request(target, init);
  const text = await response.text();
  // The server removes the body of HEAD: see commands/server.test.ts.
  const type = init.method === 'HEAD' ? 'text' : (response.headers.get('Content-Type') ?? 'none');
  const problems = site.logged.slice(before).filter((line) => line.includes(' fault '));
  if (response.status < 200 || response.status > 499) problems.push(`status ${response.status}: ${text}`);
  if (/json/.test(type) && !isJson(text)) problems.push(`not JSON: ${text}`);
  if (/html/.test(type) && !/^<!doctype html><html.*<\/html>$/s.test(text))
    problems.push(`not complete: ${text}`);
  if (/html/.test(type) && /<script|<x-mark/i.test(withoutOurScripts(text))) problems.push(`markup: ${text}`);
  if (type === 'none' && text !== '') problems.push(`a body without a type: ${text}`);
  if (!response.headers.get('X-Request-Id')) problems.push('no request id');
  return problems;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

const hostileTexts = [
  ...[
    '',
    '0',
    '-1',
    '1.5',
    '1e9',
    '1e309',
    'NaN',
    '9'.repeat(15),
    '9'.repeat(16),
    '9'.repeat(30),
    '١٢',
    '+1',
  ],
  ...[
    '9007199254740991',
    '9007199254740993',
    '9223372036854775808',
    '0x1',
    '1;drop table project',
    "1' or '1",
  ],
  ...['%00', '%zz', '%ff', '%', '%%', '%ED%A0%80', '%u0000', '%2500', '%0d%0aX: 1', '\ud800', '\udfff\ud800'],
  ...[
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    'null',
    'undefined',
    '[object Object]',
  ],
  ...['..', '.', '//evil.example', '\\', '?', '#', ';', ':', '*', '.json', '.api', '.api.json', 'last', 'me'],
  ...[
    '"',
    "'",
    '*',
    '-',
    'AND',
    'OR',
    'NOT',
    'NEAR(a b, 2)',
    'a AND',
    '^a',
    'a:b',
    '{a b}:c',
    '(((',
    '")',
    '\\"',
  ],
  ...[
    "' & '",
    "'a':*",
    '!a',
    'a <-> b',
    '|',
    '\\\\',
    '<script>alert(1)</script>',
    '"><x-mark>',
    '\u2028',
    '\0',
    '\x7f',
  ],
  ...[
    '0000-01-01',
    '9999-12-31',
    '2024-13-01',
    '2024-02-30',
    '2024-01-01T00:00:00+99:99',
    '2024-01-01T24:00',
  ],
  ...[
    '1699-12-31T23:59:59',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00.9999999999Z',
    '2024-01-01 00:00:00 00:00',
  ],
  ...[
    'photo',
    'photo,',
    ',',
    ',,,',
    'id',
    '-id',
    '--id',
    'title,-karma,created',
    'public',
    '1',
    '2',
    'json',
    'api',
  ],
  ...[
    'eyJhIjoxfQ',
    'bm90IGpzb24.AAAAAAAAAAAAAAAAAAAAAA',
    'WzAsWzFdXQ',
    '.',
    '..',
    'a.b.c',
    'uuid000000000000000001',
  ],
  ...['ﷺ'.repeat(500), 'İıſK', 'ก็็็็็็', '👩‍👩‍👧', 'a\u0301'.repeat(99), 'a,'.repeat(500), 'a '.repeat(21)],
];

const names = [
  ...[
    'page',
    'page_size',
    'cursor',
    'ordering',
    'search',
    'tags',
    'contributor',
    'copied_from',
    'content_type',
  ],
  ...[
    'content_type__in',
    'visibility',
    'status',
    'fields',
    'include',
    'format',
    'created__gte',
    'created__lt',
  ],
  ...['modified__gt', 'modified__lte', '__proto__', 'hasOwnProperty', 'constructor', '', 'page[]', 'page.x'],
];

const anyText = fc.oneof(
  { arbitrary: fc.constantFrom(...hostileTexts), weight: 3 },
  { arbitrary: fc.string({ unit: 'binary', maxLength: 40 }), weight: 2 },
  { arbitrary: fc.string({ unit: 'grapheme', maxLength: 40 }), weight: 1 },
  {
    arbitrary: fc
      .tuple(fc.constantFrom(...hostileTexts, 'a', '漢', '%', '-title,'), fc.integer({ min: 1, max: 10_000 }))
      .map(([text, length]) => text.repeat(length).slice(0, Math.min(length, 10_000))),
    weight: 1,
  },
);

/** A part of a URL: as it is, or encoded. */
const urlPart = fc
  .tuple(anyText, fc.boolean())
  .map(([text, raw]) => (raw ? text : encodeURIComponent(text.toWellFormed())));

const query = fc
  .array(fc.tuple(fc.oneof({ arbitrary: fc.constantFrom(...names), weight: 4 }, urlPart), urlPart), {
    maxLength: 6,
  })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const places = fc.constantFrom(
  ...['/api/v1/', '/api/v1/projects/', '/api/v1/projects/1', '/api/v1/schema/', '/api/'],
  ...['/content/', '/content/uuid000000000000000001/', '/contributors/', '/contributors/1-', '/assets/', '/'],
);

const target = fc
  .tuple(places, fc.array(urlPart, { maxLength: 3 }), query)
  .map(([place, parts, search]) => `${place}${parts.join('/')}${search && '?'}${search}`);

/** The text of a header: single bytes, without those that end it. */
const headerText = anyText.map((text) =>
  Buffer.from(text, 'latin1')
    .toString('latin1')
    .replaceAll('\0', ' ')
    .replace(/[\r\n]/g, ' '),
);
const ofHeader = (...known: string[]) => fc.oneof(fc.constantFrom(...known), headerText);
const headers = fc.record(
  {
    Accept: ofHeader(
      'text/html',
      '*/*',
      'text/*;q=0.1,application/json;indent=1e9;q=x',
      'application/problem+json',
      '/;q=,,;=;*/*;q=-1;q=2',
      'a/b;q=0.0001,'.repeat(700),
    ),
    Prefer: ofHeader('handling=strict', 'handling = "strict" ; x', 'handling=lenient'),
    'If-None-Match': ofHeader('*', 'W/"x"', '"', 'W/', '"a",'.repeat(2000)),
    'If-Modified-Since': ofHeader('Thu, 01 Jan 1970 00:00:00 GMT', 'Sat, 30 Feb 9999 99:99:99 GMT', '-1'),
    Authorization: ofHeader('Token', 'Token x', 'Bearer \xff', 'Basic eDp4', 'Token\t'),
    Cookie: ofHeader('sessionid=1', '=;=;'),
    Host: ofHeader('gallery.example', 'x.b.example:81', 'gallery.example:', '[::1]', 'a, b', ''),
    'X-Forwarded-For': ofHeader(
      '192.0.2.1',
      ',',
      '::ffff:10.0.0.1, 10.0.0.2',
      '999.1.1.1',
      '1,'.repeat(3000),
    ),
    'X-Forwarded-Host': ofHeader('gallery.example', 'evil.example', ',', 'gallery.example, x.b.example'),
    'X-Forwarded-Proto': ofHeader('https', 'javascript', 'http,https'),
  },
  { requiredKeys: [] },
);

const methods = ['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE', 'CONNECT', 'PROPFIND'];
const bodies = ['', '{}', '{"title":', '[[[[', '\0', '\ufeff{"__proto__":{"title":"x"}}'];

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, options);
  });

  test('any path with any query gets a response', async () => {
    await fc.assert(
      fc.asyncProperty(target, fc.constantFrom('text/html', '*/*'), async (path, accept) => {
        expect(await findProblems(site, path, { headers: { Accept: accept } })).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  test('any query of a listing gets a response as JSON and as a page', async () => {
    await fc.assert(
      fc.asyncProperty(query, fc.constantFrom('text/html', '*/*'), async (path, accept) => {
        expect(
          await findProblems(site, `/api/v1/projects/?${path}`, { headers: { Accept: accept } }),
        ).toEqual([]);
      }),
      { numRuns: 1500 },
    );
  });

  test('any headers and any method get a response', async () => {
    await fc.assert(
      fc.asyncProperty(
        target,
        fc.constantFrom(...methods),
        headers,
        fc.constantFrom(...bodies),
        async (path, method, sentHeaders, body) => {
          const bodiless =
            method === 'GET' || method === 'HEAD' || method === 'TRACE' || method === 'CONNECT';
          const allHeaders: Record<string, string> = { Host: 'gallery.example', ...sentHeaders };
          expect(
            await findProblems(site, path, {
              method,
              headers: allHeaders,
              body: bodiless ? undefined : body,
            }),
          ).toEqual([]);
        },
      ),
      { numRuns: 1500 },
    );
  });

  test('every hostile text gets a response in every parameter and in every part of a path', async () => {
    const parameters = names.map((name) => encodeURIComponent(name));
    for (const word of hostileTexts.map((text) => encodeURIComponent(text.toWellFormed()))) {
      const targets = [
        ...parameters.map((name) => `/api/v1/projects/?format=api&fields=id&${name}=${word}`),
        ...[`/api/v1/${word}`, `/api/v1/projects/${word}/`, `/content/${word}/`, `/content/${word}/${word}/`],
        ...[`/contributors/${word}/`, `/contributors/1-${word}/`, `/?page=${word}`, `/?content_type=${word}`],
      ];
      for (const path of targets) expect([path, await findProblems(site, path)]).toEqual([path, []]);
    }
  });

  const refused = (detail: string, status = 404): [number, unknown] => [status, { detail }];
  const wrong = (name: string, sentence: string): [number, unknown] => [400, { [name]: [sentence] }];
  const listed = (...ids: number[]): [number, unknown] => [
    200,
    { count: ids.length, next: null, previous: null, results: ids.map((id) => ({ id })) },
  ];
  const notFound = refused('Not found.');
  const nul = refused('The address holds a NUL character.', 400);
  const noDate = (name: string) => wrong(name, 'Enter a valid date/time.');
  const last = Number.MAX_SAFE_INTEGER;
  const strict = { Prefer: 'handling=strict' };
  const unknownFields = (text: string) =>
    wrong(
      'fields',
      `Unknown: ${text}. Known are: id, url, html_url, created, modified, title, uuid, slug, copied_from, contributor_name, contributor_html_url, visibility, tags, text, status, rating_count, rating_sum, karma, content_type, contributor, parent, media, link.`,
    );

  const exchanges: [path: string, response: [number, unknown], headers?: Record<string, string>][] = [
    [`${last}/?fields=id`, [200, { id: last }]],
    ...['0', '-1', '+1', '1.5', '1e0', '01', `1${'0'.repeat(29)}`, '9'.repeat(30), '١'].map(
      (id): [string, [number, unknown]] => [`${encodeURI(id)}/?fields=id`, notFound],
    ),
    ['9007199254740993/', notFound],
    ['%31/?fields=id', [200, { id: 1 }]],
    ['%zz/', notFound],
    ['%ff/', notFound],
    ['%00/', nul],
    ['?search=%00', nul],
    ['?%00=1', nul],
    ['?page=1e9', refused('Invalid page.')],
    ['?page=-1', refused('Invalid page.')],
    [`?page=${'9'.repeat(30)}`, refused('Invalid page.')],
    ['?fields=id&page_size=1e9', listed(last, 3, 2, 1)],
    [`?fields=id&page_size=${'9'.repeat(400)}`, listed(last, 3, 2, 1)],
    ['?fields=id&content_type=photo&content_type=link', listed(3)],
    ['?fields=id&__proto__=1&hasOwnProperty=&constructor=x', listed(last, 3, 2, 1)],
    ['?fields=__proto__', unknownFields('__proto__')],
    ['?fields=constructor,toString', unknownFields('constructor, toString')],
    [
      '?include=__proto__',
      wrong('include', 'Unknown: __proto__. Known are: content_type, contributor, parent, media, link.'),
    ],
    [
      '?content_type=__proto__',
      wrong('content_type', 'Select a valid choice. __proto__ is not one of the available choices.'),
    ],
    [
      '?content_type=%22%3E%3Cscript%3E',
      wrong('content_type', 'Select a valid choice. "><script> is not one of the available choices.'),
    ],
    ['?status=1.0', wrong('status', 'Select a valid choice. 1.0 is not one of the available choices.')],
    ['?copied_from=1e1', wrong('copied_from', 'Enter a number.')],
    [`?fields=id&copied_from=${'9'.repeat(30)}`, listed()],
    [`?fields=id&copied_from=${'9'.repeat(15)}`, listed()],
    [`?fields=id&contributor=${'9'.repeat(15)}`, listed()],
    [`?fields=id&contributor=${'9'.repeat(30)}`, listed()],
    [`?contributor=${'a'.repeat(151)}`, wrong('contributor', 'Enter an id or a username.')],
    ['?fields=id&contributor=%40.%2B_-%C3%A9%E6%BC%A2', listed(last, 3)],
    ["?fields=id&contributor=ada'--", listed()],
    ['?fields=id&tags=%25', listed(2)],
    ['?fields=id&tags=_', listed(2)],
    ['?fields=id&tags=%5C', listed(2)],
    ["?fields=id&tags='", listed(1)],
    ['?fields=id&tags=%2525', listed()],
    [`?tags=${Array.from({ length: 21 }, (_, index) => index)}`, wrong('tags', 'Ask for at most 20 tags.')],
    ...['"', "'", '*', '(', ')', '"" OR ""', '\\', ':*', '!', '&', '-', '^', '%', '👩'].map(
      (text): [string, [number, unknown]] => [
        `?fields=id&search=${encodeURIComponent(text)}`,
        /[a-z]/i.test(text) ? listed(3) : listed(),
      ],
    ),
    ['?fields=id&search=1%3D1%20--%20%27%3B%20or', listed(3)],
    ['?fields=id&search=NEAR(or%201%2C%202)', listed()],
    ['?fields=id&search=or%20AND%201', listed()],
    ['?fields=id&search=%E6%BC%A2%E5%AD%97', listed(2)],
    [`?search=${'a+'.repeat(21)}`, wrong('search', 'Search for at most 20 words.')],
    ['?cursor=%F0%9F%92%A9', refused('Invalid cursor')],
    ['?cursor=WzAsWzFdXQ', refused('Invalid cursor')],
    ['?cursor=WzAsWzFdXQ.', refused('Invalid cursor')],
    [`?cursor=bm90IEpTT04.${'A'.repeat(22)}`, refused('Invalid cursor')],
    ['?cursor=a.b.c', refused('Invalid cursor')],
    [`?fields=id&ordering=${'-id,title,'.repeat(100)}`, listed(last, 3, 2, 1)],
    [`?fields=id&ordering=${'nonsense,'.repeat(200)}`, listed(last, 3, 2, 1)],
    ['?fields=id&ordering=__proto__,--id,-,%20-id%20', listed(last, 3, 2, 1)],
    ...[
      '0000-01-01',
      '0999-12-31',
      '9999-12-31',
      '2024-13-01',
      '2024-00-10',
      '2024-02-30',
      '2024-01-01T24:00',
    ].map((date): [string, [number, unknown]] => [`?created__gte=${date}`, noDate('created__gte')]),
    ['?created__lt=2024-01-01T00:00:00%2B99:99', noDate('created__lt')],
    ['?created__lt=2024-01-01T00:00:00.%00', nul],
    ['?modified__gt=1e15', noDate('modified__gt')],
    [
      '?fields=id&created__gte=1700-01-01T00:00:00Z&created__lte=2199-12-31T23:59:59.999999Z',
      listed(last, 3, 2, 1),
    ],
    ['?format=__proto__', notFound],
    ['?constructor=1', wrong('constructor', expect.stringMatching(/^Unknown parameter\./)), strict],
    ['1/?fields=id', [200, { id: 1 }], { Accept: `${'text/x;q=9,'.repeat(900)}*/*;q=nonsense` }],
    ['1/?fields=id', [200, { id: 1 }], { Accept: 'application/json; indent=-1e9; indent=x' }],
    ['1/', refused('Could not satisfy the request Accept header.', 406), { Accept: ',;q=1,/,\xff/\xff' }],
    ['1/', refused('Invalid token.', 401), { Authorization: `Bearer ${'\xff'.repeat(4000)}` }],
    ['1/', refused('Invalid Host header.', 400), { 'X-Forwarded-Host': 'gallery.example\t.evil' }],
  ];

  test('invalid values are refused, and unusual valid ones are found', async () => {
    for (const [path, [status, body], sentHeaders] of exchanges) {
      const response = await site.get(`/api/v1/projects/${path}`, sentHeaders);
      expect([path, response.status, await response.json()]).toEqual([path, status, body]);
    }
  });

  describe('the text of contributors is never markup', () => {
    const pages = [
      ...['/', '/content/uuid000000000000000001/a-thing/', '/content/uuid000000000000000002/x/'],
      ...['/content/uuid000000000000000003/a-thing/', '/contributors/1-ada/'],
      ...['/contributors/2-%40.%2B_-%C3%A9%E6%BC%A2/', '/api/v1/projects/?format=api'],
      ...[
        '/api/v1/projects/1/?format=api&include=link,contributor',
        '/api/v1/projects/3/?format=api&include=link',
      ],
    ];
    for (const address of pages) {
      test(`at ${address}`, async () => {
        const response = await site.get(address);
        // Data for machines, which no browser runs.
        const html = (await response.text()).replace('<script type="application/ld+json">', '');
        const text = withoutOurScripts(html);

        expect([response.status, text.match(/<script|<x-mark|<!--|javascript:/gi)]).toEqual([200, null]);
        expect(text).toMatch(/&lt;x-mark|漢|👩‍👩‍👧/);
      });
    }
  });

  test('no internal error was logged meanwhile', () => {
    expect(site.logged.filter((line) => line.includes(' fault '))).toEqual([]);
  });
});
