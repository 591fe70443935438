// Compatibility as text: see exchanges/README.md.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { copyOf, onBothDatabases, Template } from './support/databases.ts';
import { type Site, siteAt, siteOn } from './support/site.ts';

const folder = join(import.meta.dir, 'exchanges');

interface Exchange {
  readonly title: string;
  readonly settings: Record<string, string>;
  readonly steps: Step[];
}

interface Step {
  readonly method: string;
  readonly target: string;
  readonly headers: [name: string, value: string][];
  readonly sent: string | undefined;
  readonly status: number;
  readonly answerHeaders: [name: string, value: string][];
  readonly body: string | undefined;
}

const headerLines = (lines: string[]) =>
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
  const sent = rest[0]?.startsWith('>') ? rest.shift()?.replace(/^> ?/gm, '') : undefined;
  const [answer = '', ...body] = rest;
  const [first = '', ...headers] = request.split('\n');
  const [method = '', target = ''] = first.split(' ');
  const [status, ...answerHeaders] = answer.split('\n');
  return {
    method,
    target,
    headers: headerLines(headers),
    sent,
    status: Number(status),
    answerHeaders: headerLines(answerHeaders),
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
  let template: Template;
  /** For exchanges that change nothing. */
  let shared: Site;
  beforeAll(async () => {
    const dumps = ['gallery.ndjson', 'archive.ndjson', 'people.ndjson'].map((file) =>
      readFileSync(join(folder, file), 'utf8'),
    );
    const first = await siteOn(kind, { dump: dumps.join('') });
    await first.close();
    template = new Template(kind, first.address);
    shared = await siteAt(await copyOf(kind, first.address));
  });
  afterAll(() => template.close());

  const siteFor = async (exchange: Exchange): Promise<Site> => {
    const { PEER: peer, ...environment } = exchange.settings;
    if (!writes(exchange) && Object.keys(exchange.settings).length === 0) return shared;
    const { address, database } = writes(exchange) ? await template.open() : shared;
    return siteAt(address, { environment, peer, database });
  };

  for (const exchange of exchanges) {
    test(exchange.title, async () => {
      const site = await siteFor(exchange);
      const before: Heard[] = [];
      for (const step of exchange.steps) before.unshift(await perform(step, site, before));
    });
  }
});

const writes = ({ steps }: Exchange): boolean => steps.some(mayWrite);

/** A visitor who sends nothing changes nothing. */
function mayWrite({ method, headers, sent }: Step): boolean {
  const signedIn = headers.some(([name]) => /^(authorization|cookie)$/i.test(name));
  return !['GET', 'HEAD', 'OPTIONS'].includes(method) && (signedIn || sent !== undefined);
}

interface Heard {
  readonly headers: Headers;
  readonly text: string;
}

/** Puts what the answers before said in the place of `{ETag}`, `{next}` and `{next?cursor}`; the last one counts. */
function fill(text: string, before: readonly Heard[]): string {
  return text.replace(/\{([\w-]+)(?:\?(\w+))?\}/g, (_, name: string, parameter?: string) => {
    const said = before.map((heard) => saidIn(heard, name)).find((found) => found !== undefined) ?? '';
    return parameter ? encodeURIComponent(new URL(said).searchParams.get(parameter) ?? '') : said;
  });
}

function saidIn({ headers, text }: Heard, name: string): string | undefined {
  const header = headers.get(name);
  if (header !== null) return header;
  if (!text.startsWith('{')) return undefined;
  const member = (JSON.parse(text) as Record<string, unknown>)[name];
  return member === undefined ? undefined : String(member);
}

async function perform(
  { method, target, headers, sent, status, answerHeaders, body }: Step,
  site: Site,
  before: readonly Heard[],
): Promise<Heard> {
  const path = fill(target, before).replace(/^https?:\/\/[^/]+/, '');
  const asked = new Headers(headers.map(([name, value]): [string, string] => [name, fill(value, before)]));
  if (sent !== undefined && !asked.has('Content-Type')) asked.set('Content-Type', 'application/json');
  const response = await site.request(path, {
    method,
    headers: asked,
    body: sent === undefined ? undefined : fill(sent, before),
  });
  const text = await response.text();
  const wanted: Record<string, unknown> = { status };
  const heard: Record<string, unknown> = { status: response.status };
  for (const [name, value] of answerHeaders) {
    const given = response.headers.get(name.replace('!', ''));
    if (name.startsWith('!')) [wanted[name], heard[name]] = [null, given];
    else if (!value.startsWith('~ ')) [wanted[name], heard[name]] = [value, given];
    else expect(given ?? '').toMatch(new RegExp(value.slice(2)));
  }
  const pieces = body !== undefined && /^!?~ /.test(body) ? body.split('\n') : undefined;
  if (body === '(empty)') [wanted.body, heard.body] = ['', text];
  else if (body !== undefined && !pieces) [wanted.body, heard.body] = [body, text];
  expect(heard).toEqual(wanted);
  for (const piece of pieces ?? []) {
    if (piece.startsWith('!')) expect(text).not.toContain(piece.slice(3));
    else expect(text).toContain(piece.slice(2));
  }
  return { headers: response.headers, text };
}
