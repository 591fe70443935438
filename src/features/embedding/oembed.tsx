// /oembed?url=…: how another site embeds a project (https://oembed.com).

import { NotFound } from '#common/errors.ts';
import { toJson } from '#common/json.ts';
import { BadRequest, NotImplemented } from '#rest/error-responses.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { escapeXml, xmlDeclaration } from '../../core/escape-xml.ts';
import { mediaPath } from '../../core/files/stored-files.ts';
import { removeBidiControls } from '../../core/pages/layout/layout.tsx';
import type { Alternate } from '../../core/pages/layout/layout-data.ts';
import { anyone, type PageContext, type PageDependencies, page } from '../../core/pages/page.ts';
import { contributorPath, parseProjectPath, projectPath } from '../../core/paths.ts';
import type { SiteSettings } from '../../core/site/site-fields.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { loadCoverContents, pictureOf } from '../../projects/pages/list/posters.tsx';
import type { Project } from '../../projects/project.ts';
import { projectPreview } from '../previews/images.ts';
import { previewSize } from '../previews/open-graph.tsx';
import { cardSize, embedCode, isEmbeddable } from './embed-code.tsx';

interface Thumbnail {
  readonly url: string;
  readonly width: number | null;
  readonly height: number | null;
}

async function showOembed(context: PageContext): Promise<PreparedResponse> {
  const { url, origin, layout } = context;
  const { query } = url;
  const format = query.get('format') || 'json';
  if (format !== 'json' && format !== 'xml') throw new NotImplemented('The format is json or xml.');
  const requestedUrl = query.get('url');
  if (!requestedUrl) throw new BadRequest('Give the address of a project as url.');
  const projectUrl = URL.parse(requestedUrl);
  const uuid = parseProjectPath(projectUrl?.pathname ?? '');
  if (projectUrl?.host !== new URL(origin).host || !uuid) throw new NotFound();
  const project = await context.projects.findByUuid(anonymous, uuid);
  if (!isEmbeddable(project)) throw new NotFound();
  const max = { width: parseSize(query.get('maxwidth')), height: parseSize(query.get('maxheight')) };
  const width = Math.min(cardSize.width, max.width);
  const height = Math.min(cardSize.height, max.height);
  const thumbnail = chooseThumbnail(await findThumbnails(context, project, origin, layout.site), max);
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
    ...(thumbnail && {
      thumbnail_url: thumbnail.url,
      thumbnail_width: thumbnail.width,
      thumbnail_height: thumbnail.height,
    }),
  };
  if (format === 'json') return prepareResponse(200, { 'Content-Type': 'application/json' }, toJson(members));
  const elements = Object.entries(members).map(
    ([name, value]) => `<${name}>${escapeXml(String(value))}</${name}>`,
  );
  const body = `${xmlDeclaration}<oembed>${elements.join('')}</oembed>\n`;
  return prepareResponse(200, { 'Content-Type': 'text/xml; charset=utf-8' }, body);
}

/** Infinite without a limit, or with one that is none. */
const parseSize = (text: string | null) =>
  /^[1-9]\d{0,4}$/.test(text ?? '') ? Number(text) : Number.POSITIVE_INFINITY;

/** The first picture in its sizes, smallest first; or else the poster. */
async function findThumbnails(
  { projects }: PageDependencies,
  project: Project,
  origin: string,
  site: SiteSettings,
): Promise<Thumbnail[]> {
  const cover = pictureOf((await loadCoverContents(projects, anonymous, [project])).get(project.id));
  if (!cover) return [{ url: origin + projectPreview(project, site).path, ...previewSize }];
  return cover.sizes.map((size) => ({ ...size, url: origin + mediaPath(cover.type, size) }));
}

/** Of those that are not too large, one that fills the card. */
function chooseThumbnail(thumbnails: readonly Thumbnail[], max: { width: number; height: number }) {
  const fitting = thumbnails.filter(
    ({ width, height }) => (width ?? 0) <= max.width && (height ?? 0) <= max.height,
  );
  return fitting.find(({ width }) => (width ?? 0) >= cardSize.width) ?? fitting.at(-1);
}

export const oembedRoute = { ...page('/oembed/', anyone, showOembed), isOpen: true };

/** Where other sites find out how to embed it. */
export async function listAlternates({ origin }: PageContext, project: Project): Promise<Alternate[]> {
  const { title } = project;
  const url = origin + projectPath(project);
  const href = (format: string) => `/oembed?${new URLSearchParams({ url, format })}`;
  return [
    { type: 'application/json+oembed', href: href('json'), title },
    { type: 'text/xml+oembed', href: href('xml'), title },
  ];
}
