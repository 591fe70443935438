// Runs the exchanges in exchanges/*.txt: requests, and the responses that clients of a Django REST framework expect.
// See exchanges/README.md.

import { beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases } from './support/databases.ts';
import { exchangePrefix } from './support/on-postgres.ts';
import { type Site, siteOn } from './support/site.ts';

const folder = join(import.meta.dir, 'exchanges');
const dump = ['gallery.ndjson', 'archive.ndjson', 'people.ndjson']
  .map((file) => readFileSync(join(folder, file), 'utf8'))
  .join('');

interface Exchange {
  readonly title: string;
  readonly settings: Record<string, string>;
  readonly steps: Step[];
}

interface Step {
  readonly method: string;
  readonly target: string;
  readonly headers: [name: string, value: string][];
  readonly sentBody: string | undefined;
  readonly status: number;
  readonly expectedHeaders: [name: string, value: string][];
  readonly body: string | undefined;
}

const parseHeaders = (lines: string[]) =>
  lines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return colon < 0 ? [line, ''] : [line.slice(0, colon), line.slice(colon + 1).trim()];
  });

function parse(title: string, text: string): Exchange {
  const lines = text.trim().split('\n');
  const settings: Record<string, string> = {};
  while (lines[0]?.startsWith('@ ')) {
    const [name = '', value = ''] = (lines.shift() as string).slice(2).split('=');
    settings[name] = value;
  }
  return { title, settings, steps: lines.join('\n').split(/^---$/m).map(parseStep) };
}

function parseStep(text: string): Step {
  const [request = '', ...rest] = text.trim().split('\n\n');
  const sentBody = rest[0]?.startsWith('>') ? rest.shift()?.replace(/^> ?/gm, '') : undefined;
  const [response = '', ...body] = rest;
  const [first = '', ...headers] = request.split('\n');
  const [method = '', target = ''] = first.split(' ');
  const [status, ...expectedHeaders] = response.split('\n');
  return {
    method,
    target,
    headers: parseHeaders(headers),
    sentBody,
    status: Number(status),
    expectedHeaders: parseHeaders(expectedHeaders),
    body: body.length ? body.join('\n\n') : undefined,
  };
}

const files = readdirSync(folder).filter((name) => name.endsWith('.txt'));
const exchanges = files.flatMap((file) =>
  readFileSync(join(folder, file), 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((part) => {
      const [title = '', ...rest] = part.split('\n');
      return parse(`${file.replace('.txt', '')}: ${title}`, rest.join('\n'));
    }),
);

onBothDatabases((kind) => {
  /** Used by the exchanges that change nothing. */
  let shared: Site;
  beforeAll(async () => {
    shared = await siteOn(kind, { dump });
  });

  const siteFor = async (exchange: Exchange): Promise<Site> => {
    const { PEER: peer, ...environment } = exchange.settings;
    if (!mayChangeGallery(exchange) && Object.keys(exchange.settings).length === 0) return shared;
    return siteOn(kind, { dump, environment, peer });
  };

  for (const exchange of exchanges) {
    test(`${exchangePrefix}${exchange.title}`, async () => {
      const site = await siteFor(exchange);
      const earlier: Received[] = [];
      for (const step of exchange.steps) earlier.unshift(await perform(step, site, earlier));
    });
  }
});

const mayChangeGallery = ({ steps }: Exchange): boolean => steps.some(mayWrite);

/** A request without credentials and without a body changes nothing. */
function mayWrite({ method, headers, sentBody }: Step): boolean {
  const isSignedIn = headers.some(([name]) => /^(authorization|cookie)$/i.test(name));
  return !['GET', 'HEAD', 'OPTIONS'].includes(method) && (isSignedIn || sentBody !== undefined);
}

/** A response whose body has been read. */
interface Received {
  readonly headers: Headers;
  readonly text: string;
}

/** Replaces `{ETag}`, `{next}` and `{next?cursor}` by the values of the latest response that has them. */
function fill(text: string, earlier: readonly Received[]): string {
  return text.replace(/\{([\w-]+)(?:\?(\w+))?\}/g, (_, name: string, parameter?: string) => {
    const value =
      earlier.map((received) => valueIn(received, name)).find((found) => found !== undefined) ?? '';
    return parameter ? encodeURIComponent(new URL(value).searchParams.get(parameter) ?? '') : value;
  });
}

/** The value of the header, or else of the member, that has this name. */
function valueIn({ headers, text }: Received, name: string): string | undefined {
  const header = headers.get(name);
  if (header !== null) return header;
  if (!text.startsWith('{')) return undefined;
  const member = (JSON.parse(text) as Record<string, unknown>)[name];
  return member === undefined ? undefined : String(member);
}

async function perform(
  { method, target, headers, sentBody, status, expectedHeaders, body }: Step,
  site: Site,
  earlier: readonly Received[],
): Promise<Received> {
  const path = fill(target, earlier).replace(/^https?:\/\/[^/]+/, '');
  const sentHeaders = new Headers(
    headers.map(([name, value]): [string, string] => [name, fill(value, earlier)]),
  );
  if (sentBody !== undefined && !sentHeaders.has('Content-Type'))
    sentHeaders.set('Content-Type', 'application/json');
  const response = await site.request(path, {
    method,
    headers: sentHeaders,
    body: sentBody === undefined ? undefined : fill(sentBody, earlier),
  });
  const text = await response.text();
  const expected: Record<string, unknown> = { status };
  const actual: Record<string, unknown> = { status: response.status };
  for (const [name, value] of expectedHeaders) {
    const header = response.headers.get(name.replace('!', ''));
    if (name.startsWith('!')) [expected[name], actual[name]] = [null, header];
    else if (!value.startsWith('~ ')) [expected[name], actual[name]] = [value, header];
    else expect(header ?? '').toMatch(new RegExp(value.slice(2)));
  }
  const fragments = body !== undefined && /^!?~ /.test(body) ? body.split('\n') : undefined;
  if (body === '(empty)') [expected.body, actual.body] = ['', text];
  else if (body !== undefined && !fragments) [expected.body, actual.body] = [body, text];
  expect(actual).toEqual(expected);
  for (const fragment of fragments ?? []) {
    if (fragment.startsWith('!')) expect(text).not.toContain(fragment.slice(3));
    else expect(text).toContain(fragment.slice(2));
  }
  return { headers: response.headers, text };
}
