// Compatibility as text: see exchanges/README.md.

import { afterAll, beforeAll, expect, test } from 'bun:test';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { onBothDatabases } from './support/databases.ts';
import { type Site, siteAt, siteOn } from './support/site.ts';

const folder = join(import.meta.dir, 'exchanges');

interface Exchange {
  readonly title: string;
  readonly settings: Record<string, string>;
  readonly method: string;
  readonly target: string;
  readonly headers: [name: string, value: string][];
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
  const [request = '', answer = '', ...body] = text.trim().split('\n\n');
  const lines = request.split('\n');
  const settings: Record<string, string> = {};
  while (lines[0]?.startsWith('@ ')) {
    const [name = '', value = ''] = (lines.shift() as string).slice(2).split('=');
    settings[name] = value;
  }
  const [method = '', target = ''] = (lines.shift() ?? '').split(' ');
  const [status, ...answerHeaders] = answer.split('\n');
  return {
    ...{ title, settings, method, target, headers: headerLines(lines), status: Number(status) },
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
  let site: Site;
  beforeAll(async () => {
    site = await siteOn(kind, { dump: readFileSync(join(folder, 'gallery.ndjson'), 'utf8') });
  });
  afterAll(() => site.close());

  for (const exchange of exchanges) {
    test(exchange.title, async () => {
      const own = Object.keys(exchange.settings).length > 0;
      const asked = own ? await siteAt(site.address, { environment: exchange.settings }) : site;
      try {
        await perform(exchange, asked);
      } finally {
        if (own) await asked.close();
      }
    });
  }
});

async function perform(
  { method, target, headers, status, answerHeaders, body }: Exchange,
  site: Site,
): Promise<void> {
  const response = await site.request(target, { method, headers });
  const text = await response.text();
  const wanted: Record<string, unknown> = { status };
  const heard: Record<string, unknown> = { status: response.status };
  for (const [name, value] of answerHeaders) {
    const given = response.headers.get(name.replace('!', ''));
    if (name.startsWith('!')) [wanted[name], heard[name]] = [null, given];
    else if (!value.startsWith('~ ')) [wanted[name], heard[name]] = [value, given];
    else expect(given ?? '').toMatch(new RegExp(value.slice(2)));
  }
  if (body === '(empty)') [wanted.body, heard.body] = ['', text];
  else if (body?.startsWith('~ '))
    for (const line of body.split('\n')) expect(text).toContain(line.replace(/^~ /, ''));
  else if (body !== undefined) [wanted.body, heard.body] = [body, text];
  expect(heard).toEqual(wanted);
}
