// /oembed?url=…: how another site shows a project of ours, as https://oembed.com has it.

import { NotFound } from '../errors.ts';
import { contributorPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { anonymous } from '../gallery/viewer.ts';
import { toJson } from '../json.ts';
import { type Answer, answer } from '../rest/answer.ts';
import { BadRequest } from '../rest/exceptions.ts';
import { isEmbeddable } from './embed.tsx';
import { cardSize, embedCode } from './embed-code.tsx';
import { withoutTurns } from './layout.tsx';
import type { PageParts, Served } from './serve.ts';
import { escaped, xmlHead } from './xml.ts';

const least = { width: 240, height: 160 };

export async function oembed(parts: PageParts, { address, base }: Served): Promise<Answer> {
  const { query } = address;
  const format = query.get('format') || 'json';
  if (format !== 'json' && format !== 'xml') throw new BadRequest('The format is json or xml.');
  const asked = query.get('url');
  if (!asked) throw new BadRequest('Give the address of a project as url.');
  const url = URL.parse(asked);
  const [, uuid] = /^\/content\/([A-Za-z0-9]+)\//.exec(url?.pathname ?? '') ?? [];
  if (url?.host !== new URL(base).host || !uuid) throw new NotFound();
  const found = await parts.projects.byUuid(anonymous, uuid);
  if (!isEmbeddable(found)) throw new NotFound();
  const width = atMost(query.get('maxwidth'), cardSize.width, least.width);
  const height = atMost(query.get('maxheight'), cardSize.height, least.height);
  const title = withoutTurns(found.title);
  const frame = embedCode(found, base, { width, height });
  const told = {
    ...{ type: 'rich', version: '1.0', title },
    author_name: displayName(found),
    author_url: `${base}${contributorPath(found.contributor, found.username)}`,
    ...{ provider_name: 'Vitrine', provider_url: `${base}/` },
    ...{ width, height, html: String(frame) },
  };
  // Scripts of other sites may ask: it says nothing that a visitor would not see.
  const open = { 'Access-Control-Allow-Origin': '*' };
  if (format === 'json') return answer(200, { 'Content-Type': 'application/json', ...open }, toJson(told));
  const members = Object.entries(told).map(([name, value]) => `<${name}>${escaped(String(value))}</${name}>`);
  const body = `${xmlHead}<oembed>${members.join('')}</oembed>\n`;
  return answer(200, { 'Content-Type': 'text/xml; charset=utf-8', ...open }, body);
}

function atMost(text: string | null, usual: number, least: number): number {
  const asked = /^\d{1,5}$/.test(text ?? '') ? Number(text) : usual;
  return Math.max(least, Math.min(usual, asked));
}
