// Every request gets a complete response that is not an internal error, and no text of the data or of the request
// becomes markup.

import { beforeAll, describe, expect, test } from 'bun:test';
import fc from 'fast-check';
import { onBothDatabases } from './support/databases.ts';
import {
  anyHeaders,
  anyQuery,
  anyTarget,
  bodies,
  hostileTexts,
  methods,
  parameterNames,
} from './support/hostile-requests.ts';
import { visitor } from './support/person.ts';
import { withoutOurScripts } from './support/scripts.ts';
import { contributor, dump, project, type Site, siteOn } from './support/site.ts';

/** `npm run test:hostile` sends more; SEED repeats a run. */
const requests = Number(process.env.HOSTILE_REQUESTS ?? 300);
const seed = Number(process.env.SEED ?? Math.floor(Math.random() * 2 ** 31));
console.log(`Hostile requests: SEED=${seed}`);

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

/** Sends a request, and returns what is wrong with its response. */
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
  if (type === 'none' && text !== '') problems.push(`body without a type: ${text}`);
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

onBothDatabases((kind) => {
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, options);
  });

  test('any path with any query gets a response', async () => {
    await fc.assert(
      fc.asyncProperty(anyTarget, fc.constantFrom('text/html', '*/*'), async (path, accept) => {
        expect(await findProblems(site, path, { headers: { Accept: accept } })).toEqual([]);
      }),
      { numRuns: Math.ceil(requests / 3), seed },
    );
  });

  test('any query of a listing gets a response as JSON and as a page', async () => {
    await fc.assert(
      fc.asyncProperty(anyQuery, fc.constantFrom('text/html', '*/*'), async (query, accept) => {
        expect(
          await findProblems(site, `/api/v1/projects/?${query}`, { headers: { Accept: accept } }),
        ).toEqual([]);
      }),
      { numRuns: Math.ceil(requests / 3), seed },
    );
  });

  test('any headers and any method get a response', async () => {
    await fc.assert(
      fc.asyncProperty(
        anyTarget,
        fc.constantFrom(...methods),
        anyHeaders,
        fc.constantFrom(...bodies),
        async (path, method, sentHeaders, body) => {
          const hasNoBody = ['GET', 'HEAD', 'TRACE', 'CONNECT'].includes(method);
          const headers: Record<string, string> = { Host: 'gallery.example', ...sentHeaders };
          const problems = await findProblems(site, path, {
            method,
            headers,
            body: hasNoBody ? undefined : body,
          });
          expect(problems).toEqual([]);
        },
      ),
      { numRuns: Math.ceil(requests / 3), seed },
    );
  });

  test('every hostile text gets a response in every parameter and in every part of a path', async () => {
    const parameters = parameterNames.map((name) => encodeURIComponent(name));
    for (const [place, hostile] of hostileTexts.entries()) {
      const text = encodeURIComponent(hostile.toWellFormed());
      // Pages are the same on both databases, and take longer: each text is shown for some parameters, and each parameter with some texts.
      const formatOf = (index: number) => (kind === 'SQLite' && (place + index) % 4 === 0 ? 'api' : 'json');
      const paths = [
        ...parameters.map(
          (name, index) => `/api/v1/projects/?format=${formatOf(index)}&fields=id&${name}=${text}`,
        ),
        ...[`/api/v1/${text}`, `/api/v1/projects/${text}/`, `/content/${text}/`, `/content/${text}/${text}/`],
        ...[`/contributors/${text}/`, `/contributors/1-${text}/`, `/?page=${text}`, `/?content_type=${text}`],
      ];
      for (const path of paths) expect([path, await findProblems(site, path)]).toEqual([path, []]);
    }
  });

  type Expected = [status: number, body: unknown];
  const refused = (detail: string, status = 404): Expected => [status, { detail }];
  const invalid = (name: string, sentence: string): Expected => [400, { [name]: [sentence] }];
  const list = (...ids: number[]): Expected => [
    200,
    { count: ids.length, next: null, previous: null, results: ids.map((id) => ({ id })) },
  ];
  const notFound = refused('Not found.');
  const hasNul = refused('The address holds a NUL character.', 400);
  const invalidDate = (name: string) => invalid(name, 'Enter a valid date/time.');
  const lastId = Number.MAX_SAFE_INTEGER;
  const strict = { Prefer: 'handling=strict' };
  const unknownFields = (text: string) =>
    invalid(
      'fields',
      `Unknown: ${text}. Known are: id, url, html_url, created, modified, title, uuid, slug, copied_from, contributor_name, contributor_html_url, visibility, tags, text, status, rating_count, rating_sum, karma, content_type, contributor, parent, media, link, history, publish_at, kind, offers, due, ends, license, source_license.`,
    );

  const exchanges: [path: string, expected: Expected, headers?: Record<string, string>][] = [
    [`${lastId}/?fields=id`, [200, { id: lastId }]],
    ...['0', '-1', '+1', '1.5', '1e0', `1${'0'.repeat(29)}`, '9'.repeat(30), '١'].map(
      (id): [string, Expected] => [`${encodeURI(id)}/?fields=id`, notFound],
    ),
    ['9007199254740993/', notFound],
    ['%31/?fields=id', [200, { id: 1 }]],
    ['01/?fields=id', [200, { id: 1 }]],
    ['%zz/', notFound],
    ['%ff/', notFound],
    ['%00/', hasNul],
    ['?search=%00', hasNul],
    ['?%00=1', hasNul],
    ['?page=1e9', refused('Invalid page.')],
    ['?page=-1', refused('Invalid page.')],
    [`?page=${'9'.repeat(30)}`, refused('Invalid page.')],
    ['?fields=id&page_size=1e9', list(lastId, 3, 2, 1)],
    [`?fields=id&page_size=${'9'.repeat(400)}`, list(lastId, 3, 2, 1)],
    ['?fields=id&content_type=photo&content_type=link', list(3)],
    ['?fields=id&__proto__=1&hasOwnProperty=&constructor=x', list(lastId, 3, 2, 1)],
    ['?fields=__proto__', unknownFields('__proto__')],
    ['?fields=constructor,toString', unknownFields('constructor, toString')],
    [
      '?include=__proto__',
      invalid(
        'include',
        'Unknown: __proto__. Known are: content_type, contributor, parent, media, link, history, publish_at, kind, offers, due, ends, license, source_license.',
      ),
    ],
    [
      '?content_type=__proto__',
      invalid('content_type', 'Select a valid choice. __proto__ is not one of the available choices.'),
    ],
    [
      '?content_type=%22%3E%3Cscript%3E',
      invalid('content_type', 'Select a valid choice. "><script> is not one of the available choices.'),
    ],
    ['?status=1.0', invalid('status', 'Select a valid choice. 1.0 is not one of the available choices.')],
    ['?copied_from=1e1', invalid('copied_from', 'Enter a number.')],
    [`?fields=id&copied_from=${'9'.repeat(30)}`, list()],
    [`?fields=id&copied_from=${'9'.repeat(15)}`, list()],
    [`?fields=id&contributor=${'9'.repeat(15)}`, list()],
    [`?fields=id&contributor=${'9'.repeat(30)}`, list()],
    [`?contributor=${'a'.repeat(151)}`, invalid('contributor', 'Enter an id or a username.')],
    ['?fields=id&contributor=%40.%2B_-%C3%A9%E6%BC%A2', list(lastId, 3)],
    ["?fields=id&contributor=ada'--", list()],
    ['?fields=id&tags=%25', list(2)],
    ['?fields=id&tags=_', list(2)],
    ['?fields=id&tags=%5C', list(2)],
    ["?fields=id&tags='", list(1)],
    ['?fields=id&tags=%2525', list()],
    [`?tags=${Array.from({ length: 21 }, (_, index) => index)}`, invalid('tags', 'Ask for at most 20 tags.')],
    ...['"', "'", '*', '(', ')', '"" OR ""', '\\', ':*', '!', '&', '-', '^', '%', '👩'].map(
      (text): [string, Expected] => [
        `?fields=id&search=${encodeURIComponent(text)}`,
        /[a-z]/i.test(text) ? list(3) : list(),
      ],
    ),
    ['?fields=id&search=1%3D1%20--%20%27%3B%20or', list(3)],
    ['?fields=id&search=NEAR(or%201%2C%202)', list()],
    ['?fields=id&search=or%20AND%201', list()],
    ['?fields=id&search=%E6%BC%A2%E5%AD%97', list(2)],
    [`?search=${'a+'.repeat(21)}`, invalid('search', 'Search for at most 20 words.')],
    ['?cursor=%F0%9F%92%A9', refused('Invalid cursor')],
    ['?cursor=WzAsWzFdXQ', refused('Invalid cursor')],
    ['?cursor=WzAsWzFdXQ.', refused('Invalid cursor')],
    [`?cursor=bm90IEpTT04.${'A'.repeat(22)}`, refused('Invalid cursor')],
    ['?cursor=a.b.c', refused('Invalid cursor')],
    [`?fields=id&ordering=${'-id,title,'.repeat(100)}`, list(lastId, 3, 2, 1)],
    [`?fields=id&ordering=${'nonsense,'.repeat(200)}`, list(lastId, 3, 2, 1)],
    ['?fields=id&ordering=__proto__,--id,-,%20-id%20', list(lastId, 3, 2, 1)],
    ...[
      '0000-01-01',
      '0999-12-31',
      '9999-12-31',
      '2024-13-01',
      '2024-00-10',
      '2024-02-30',
      '2024-01-01T24:00',
    ].map((date): [string, Expected] => [`?created__gte=${date}`, invalidDate('created__gte')]),
    ['?created__lt=2024-01-01T00:00:00%2B99:99', invalidDate('created__lt')],
    ['?created__lt=2024-01-01T00:00:00.%00', hasNul],
    ['?modified__gt=1e15', invalidDate('modified__gt')],
    [
      '?fields=id&created__gte=1700-01-01T00:00:00Z&created__lte=2199-12-31T23:59:59.999999Z',
      list(lastId, 3, 2, 1),
    ],
    ['?format=__proto__', notFound],
    ['?constructor=1', invalid('constructor', expect.stringMatching(/^Unknown parameter\./)), strict],
    ['1/?fields=id', [200, { id: 1 }], { Accept: `${'text/x;q=9,'.repeat(900)}*/*;q=nonsense` }],
    ['1/?fields=id', [200, { id: 1 }], { Accept: 'application/json; indent=-1e9; indent=x' }],
    ['1/', refused('Could not satisfy the request Accept header.', 406), { Accept: ',;q=1,/,\xff/\xff' }],
    ['1/', refused('Invalid token.', 401), { Authorization: `Bearer ${'\xff'.repeat(4000)}` }],
    ['1/', refused('Invalid Host header.', 400), { 'X-Forwarded-Host': 'gallery.example\t.evil' }],
  ];

  test('invalid values are refused, and unusual valid ones are accepted', async () => {
    for (const [path, [status, body], sentHeaders] of exchanges) {
      const response = await visitor(site).get(`/api/v1/projects/${path}`, sentHeaders);
      expect([path, response.status, await response.json()]).toEqual([path, status, body]);
    }
  });

  describe('a text that a contributor wrote is never markup', () => {
    const pages = [
      ...['/', '/content/uuid000000000000000001/a-project/', '/content/uuid000000000000000002/x/'],
      ...['/content/uuid000000000000000003/a-project/', '/contributors/1-ada/'],
      ...['/contributors/2-%40.%2B_-%C3%A9%E6%BC%A2/', '/api/v1/projects/?format=api'],
      ...[
        '/api/v1/projects/1/?format=api&include=link,contributor',
        '/api/v1/projects/3/?format=api&include=link',
      ],
    ];
    for (const path of pages) {
      test(`on ${path}`, async () => {
        const response = await visitor(site).get(path);
        // Browsers do not run structured data.
        const html = (await response.text()).replace('<script type="application/ld+json">', '');
        const text = withoutOurScripts(html);

        expect([response.status, text.match(/<script|<x-mark|<!--|javascript:/gi)]).toEqual([200, null]);
        expect(text).toMatch(/&lt;x-mark|漢|👩‍👩‍👧/);
      });
    }
  });

  test('none of these requests logged an internal error', () => {
    expect(site.logged.filter((line) => line.includes(' fault '))).toEqual([]);
  });
});

test('objects in place of texts get a response, from the API and from the handlers of forms', async () => {
  const site = await siteOn('SQLite', { ...options, environment: { VITRINE_SIGN_UP: 'invitation' } });
  const headers = {
    ...(await site.signIn('ada', { role: 'admin' })),
    Origin: 'http://gallery.example',
    'Content-Type': 'application/json',
  };
  // Neither of its members is a function: `String` throws.
  const object = { toString: 1, valueOf: 1 };
  const members = (...names: string[]) => Object.fromEntries(names.map((name) => [name, object]));
  const bodies = {
    '/api/v1/projects/': members('title', 'content_type', 'visibility', 'status', 'tags', 'copied_from'),
    '/new/text/': members('title', 'tags', 'text'),
    '/preview/': members('project', 'text', 'title'),
    '/account/leave/': members('items', 'password'),
    '/admin/site/': members('name', 'one_text', 'many_text', 'cards', 'logo'),
    '/moderation/': { project: 1, decision: 'leave', ...members('next', 'seen') },
    '/moderation/people/': members('contributor', 'state'),
    '/moderation/invitations/': members('count', 'names'),
    '/moderation/invitations/list/': members('end', `name_${'0'.repeat(64)}`),
    '/code/': members('code'),
    '/new-password/': { code: object, new_password: 'another quiet room' },
  };
  for (const [path, body] of Object.entries(bodies)) {
    const init = { method: 'POST', headers, body: JSON.stringify(body) };
    expect([path, await findProblems(site, path, init)]).toEqual([path, []]);
  }
});
