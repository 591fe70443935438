// /oembed?url=…: how another site embeds a project (https://oembed.com).

import { NotFound } from '../errors.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { contributorPath, parseProjectPath } from '../gallery/paths.ts';
import { anonymous } from '../gallery/viewer.ts';
import { toJson } from '../json.ts';
import { BadRequest } from '../rest/exceptions.ts';
import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import { cardSize, embedCode, isEmbeddable } from './embed-code.tsx';
import { removeBidiControls } from './layout.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';
import { escapeXml, xmlDeclaration } from './xml.ts';

const minCardSize = { width: 240, height: 160 };

export async function showOembed(
  deps: PageDependencies,
  { url, origin, layout }: PageContext,
): Promise<PreparedResponse> {
  const { query } = url;
  const format = query.get('format') || 'json';
  if (format !== 'json' && format !== 'xml') throw new BadRequest('The format is json or xml.');
  const requestedUrl = query.get('url');
  if (!requestedUrl) throw new BadRequest('Give the address of a project as url.');
  const projectUrl = URL.parse(requestedUrl);
  const uuid = parseProjectPath(projectUrl?.pathname ?? '');
  if (projectUrl?.host !== new URL(origin).host || !uuid) throw new NotFound();
  const project = await deps.projects.findByUuid(anonymous, uuid);
  if (!isEmbeddable(project)) throw new NotFound();
  const width = parseSize(query.get('maxwidth'), cardSize.width, minCardSize.width);
  const height = parseSize(query.get('maxheight'), cardSize.height, minCardSize.height);
  const title = removeBidiControls(project.title);
  const iframe = embedCode(project, origin, { width, height });
  const members = {
    type: 'rich',
    version: '1.0',
    title,
    author_name: displayName(project),
    author_url: `${origin}${contributorPath(project.contributor, project.username)}`,
    provider_name: layout.site.name,
    provider_url: `${origin}/`,
    width,
    height,
    html: String(iframe),
  };
  if (format === 'json') return prepareResponse(200, { 'Content-Type': 'application/json' }, toJson(members));
  const elements = Object.entries(members).map(
    ([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`,
  );
  const body = `${xmlDeclaration}<oembed>${elements.join('')}</oembed>\n`;
  return prepareResponse(200, { 'Content-Type': 'text/xml; charset=utf-8' }, body);
}

function parseSize(text: string | null, defaultSize: number, minSize: number): number {
  const requested = /^\d{1,5}$/.test(text ?? '') ? Number(text) : defaultSize;
  return Math.max(minSize, Math.min(defaultSize, requested));
}
