// The part of curl that the documentation uses, for machines without curl: the options -s, -d, -H, -b, -c, -X, -o and
// -w '%{http_code}\n'. Cookies are stored in the format of Netscape's file, as in curl.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    data: { type: 'string', short: 'd', multiple: true },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    cookie: { type: 'string', short: 'b' },
    'cookie-jar': { type: 'string', short: 'c' },
    request: { type: 'string', short: 'X' },
    output: { type: 'string', short: 'o' },
    'write-out': { type: 'string', short: 'w', default: '' },
  },
});
const { data, header, cookie, 'cookie-jar': cookieJar, output, 'write-out': writeOut } = values;

const headers = new Headers(
  header.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return [name, value];
  }),
);
if (data) headers.set('Content-Type', 'application/x-www-form-urlencoded');
if (cookie && existsSync(cookie)) {
  const lines = readFileSync(cookie, 'utf8').split('\n').filter(Boolean);
  const pairs = lines.map((line) => line.split('\t').slice(5).join('='));
  headers.set('Cookie', pairs.join('; '));
}

const method = values.request ?? (data ? 'POST' : 'GET');
const response = await fetch(positionals[0] ?? '', { method, headers, body: data?.join('&') });
if (cookieJar) {
  const { hostname } = new URL(response.url);
  const lines = response.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const host = /; *httponly/i.test(cookie) ? `#HttpOnly_${hostname}` : hostname;
    return [host, 'FALSE', '/', 'FALSE', '0', name, value].join('\t');
  });
  writeFileSync(cookieJar, lines.map((line) => `${line}\n`).join(''));
}
const body = await response.text();
if (output === undefined) process.stdout.write(body);
process.stdout.write(writeOut.replaceAll('%{http_code}', String(response.status)).replaceAll('\\n', '\n'));
