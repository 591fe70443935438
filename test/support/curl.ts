// The part of curl that the documentation uses, for machines without curl: the options -s, -N, -d, -F, -H, -b, -c, -X, -o,
// -O with -J, --fail, --max-time and -w '%{http_code}\n'. Cookies are stored in the format of Netscape's file, as in curl.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';
import { parseArgs } from 'node:util';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    silent: { type: 'boolean', short: 's' },
    'no-buffer': { type: 'boolean', short: 'N' },
    'max-time': { type: 'string' },
    data: { type: 'string', short: 'd', multiple: true },
    form: { type: 'string', short: 'F', multiple: true },
    header: { type: 'string', short: 'H', multiple: true, default: [] },
    cookie: { type: 'string', short: 'b' },
    'cookie-jar': { type: 'string', short: 'c' },
    request: { type: 'string', short: 'X' },
    output: { type: 'string', short: 'o' },
    'remote-name': { type: 'boolean', short: 'O' },
    'remote-header-name': { type: 'boolean', short: 'J' },
    fail: { type: 'boolean' },
    'write-out': { type: 'string', short: 'w', default: '' },
  },
});
const { data, form, header, cookie, 'cookie-jar': cookieJar, output, 'write-out': writeOut } = values;

const headers = new Headers(
  header.map((line): [string, string] => {
    const [, name = '', value = ''] = /^([^:]+):\s*(.*)$/.exec(line) ?? [];
    return [name, value];
  }),
);
if (data && !headers.has('Content-Type')) headers.set('Content-Type', 'application/x-www-form-urlencoded');
if (cookie && existsSync(cookie)) {
  const lines = readFileSync(cookie, 'utf8').split('\n').filter(Boolean);
  const pairs = lines.map((line) => line.split('\t').slice(5).join('='));
  headers.set('Cookie', pairs.join('; '));
}

function readForm(fields: readonly string[]): FormData {
  const read = new FormData();
  for (const field of fields) {
    const [, name = '', path, value = ''] = /^([^=]+)=(?:@(.*)|(.*))$/.exec(field) ?? [];
    if (path === undefined) read.append(name, value);
    else read.append(name, new Blob([readFileSync(path)]), basename(path));
  }
  return read;
}

const body = form ? readForm(form) : data?.join('&');
const method = values.request ?? (body === undefined ? 'GET' : 'POST');
const response = await fetch(positionals[0] ?? '', { method, headers, body });
if (values.fail && !response.ok) {
  console.error(`curl: (22) The requested URL returned error: ${response.status}`);
  process.exit(22);
}
if (cookieJar) {
  const { hostname } = new URL(response.url);
  const lines = response.headers.getSetCookie().map((cookie) => {
    const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(cookie) ?? [];
    const host = /; *httponly/i.test(cookie) ? `#HttpOnly_${hostname}` : hostname;
    return [host, 'FALSE', '/', 'FALSE', '0', name, value].join('\t');
  });
  writeFileSync(cookieJar, lines.map((line) => `${line}\n`).join(''));
}
if (values['max-time'] !== undefined)
  setTimeout(() => process.exit(28), Number(values['max-time']) * 1000).unref();
const text = await response.text();
const name = /filename="(.*?)"/.exec(response.headers.get('Content-Disposition') ?? '')?.[1];
if (values['remote-name']) writeFileSync(name ?? '', text);
else if (output === undefined) process.stdout.write(text);
process.stdout.write(writeOut.replaceAll('%{http_code}', String(response.status)).replaceAll('\\n', '\n'));
