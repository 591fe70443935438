// Values for requests that try to break a server: texts that were chosen by hand, and random combinations.

import fc from 'fast-check';

/** Grouped by the code that they try to break. */
export const hostileTexts = Object.values({
  numbers: [
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
    '9007199254740991',
    '9007199254740993',
    '9223372036854775808',
    '0x1',
  ],
  sql: ['1;drop table project', "1' or '1"],
  encodings: [
    '%00',
    '%zz',
    '%ff',
    '%',
    '%%',
    '%ED%A0%80',
    '%u0000',
    '%2500',
    '%0d%0aX: 1',
    '\ud800',
    '\udfff\ud800',
  ],
  propertyNames: [
    '__proto__',
    'constructor',
    'toString',
    'hasOwnProperty',
    'prototype',
    'null',
    'undefined',
    '[object Object]',
  ],
  paths: [
    '..',
    '.',
    '//evil.example',
    '\\',
    '?',
    '#',
    ';',
    ':',
    '*',
    '.json',
    '.api',
    '.api.json',
    'last',
    'me',
  ],
  searchSyntaxOfSqlite: [
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
  searchSyntaxOfPostgres: ["' & '", "'a':*", '!a', 'a <-> b', '|', '\\\\'],
  markup: ['<script>alert(1)</script>', '"><x-mark>'],
  controlCharacters: ['\u2028', '\0', '\x7f'],
  dates: [
    '0000-01-01',
    '9999-12-31',
    '2024-13-01',
    '2024-02-30',
    '2024-01-01T00:00:00+99:99',
    '2024-01-01T24:00',
    '1699-12-31T23:59:59',
    '2024-01-01T00:00:60Z',
    '2024-01-01T00:00:00.9999999999Z',
    '2024-01-01 00:00:00 00:00',
  ],
  values: [
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
  tokens: [
    'eyJhIjoxfQ',
    'bm90IGpzb24.AAAAAAAAAAAAAAAAAAAAAA',
    'WzAsWzFdXQ',
    '.',
    '..',
    'a.b.c',
    'uuid000000000000000001',
  ],
  unusualLetters: ['ﷺ'.repeat(500), 'İıſK', 'ก็็็็็็', '👩‍👩‍👧', 'a\u0301'.repeat(99)],
  longLists: ['a,'.repeat(500), 'a '.repeat(21)],
}).flat();

export const parameterNames = [
  'page',
  'page_size',
  'cursor',
  'ordering',
  'search',
  'tags',
  'contributor',
  'copied_from',
  'content_type',
  'content_type__in',
  'visibility',
  'status',
  'fields',
  'include',
  'format',
  'created__gte',
  'created__lt',
  'modified__gt',
  'modified__lte',
  '__proto__',
  'hasOwnProperty',
  'constructor',
  '',
  'page[]',
  'page.x',
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
  .map(([text, isRaw]) => (isRaw ? text : encodeURIComponent(text.toWellFormed())));

/** Any query of a URL. */
export const anyQuery = fc
  .array(fc.tuple(fc.oneof({ arbitrary: fc.constantFrom(...parameterNames), weight: 4 }, urlPart), urlPart), {
    maxLength: 6,
  })
  .map((pairs) => pairs.map(([name, value]) => `${name}=${value}`).join('&'));

const paths = fc.constantFrom(
  ...['/api/v1/', '/api/v1/projects/', '/api/v1/projects/1', '/api/v1/schema/', '/api/'],
  ...['/content/', '/content/uuid000000000000000001/', '/contributors/', '/contributors/1-', '/assets/', '/'],
);

/** Any path of a URL with any query. */
export const anyTarget = fc
  .tuple(paths, fc.array(urlPart, { maxLength: 3 }), anyQuery)
  .map(([path, parts, query]) => `${path}${parts.join('/')}${query && '?'}${query}`);

/** The value of a header: bytes without NUL and line ends. */
const headerText = anyText.map((text) =>
  Buffer.from(text, 'latin1')
    .toString('latin1')
    .replaceAll('\0', ' ')
    .replace(/[\r\n]/g, ' '),
);
const oneOfOrAnyText = (...values: string[]) => fc.oneof(fc.constantFrom(...values), headerText);
export const anyHeaders = fc.record(
  {
    Accept: oneOfOrAnyText(
      'text/html',
      '*/*',
      'text/*;q=0.1,application/json;indent=1e9;q=x',
      'application/problem+json',
      '/;q=,,;=;*/*;q=-1;q=2',
      'a/b;q=0.0001,'.repeat(700),
    ),
    Prefer: oneOfOrAnyText('handling=strict', 'handling = "strict" ; x', 'handling=lenient'),
    'If-None-Match': oneOfOrAnyText('*', 'W/"x"', '"', 'W/', '"a",'.repeat(2000)),
    'If-Modified-Since': oneOfOrAnyText(
      'Thu, 01 Jan 1970 00:00:00 GMT',
      'Sat, 30 Feb 9999 99:99:99 GMT',
      '-1',
    ),
    Authorization: oneOfOrAnyText('Token', 'Token x', 'Bearer \xff', 'Basic eDp4', 'Token\t'),
    Cookie: oneOfOrAnyText('sessionid=1', '=;=;'),
    Host: oneOfOrAnyText('gallery.example', 'x.b.example:81', 'gallery.example:', '[::1]', 'a, b', ''),
    'X-Forwarded-For': oneOfOrAnyText(
      '192.0.2.1',
      ',',
      '::ffff:10.0.0.1, 10.0.0.2',
      '999.1.1.1',
      '1,'.repeat(3000),
    ),
    'X-Forwarded-Host': oneOfOrAnyText(
      'gallery.example',
      'evil.example',
      ',',
      'gallery.example, x.b.example',
    ),
    'X-Forwarded-Proto': oneOfOrAnyText('https', 'javascript', 'http,https'),
  },
  { requiredKeys: [] },
);

export const methods = [
  'GET',
  'HEAD',
  'OPTIONS',
  'POST',
  'PUT',
  'PATCH',
  'DELETE',
  'TRACE',
  'CONNECT',
  'PROPFIND',
];
export const bodies = ['', '{}', '{"title":', '[[[[', '\0', '\ufeff{"__proto__":{"title":"x"}}'];
