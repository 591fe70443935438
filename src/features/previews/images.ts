// /content/<uuid>/preview-<hash>.png, /contributors/<id>-<username>/preview-<hash>.png and /preview-<hash>.png: the
// preview images of projects, contributors and the home page. The hash is that of the words, so that other sites load
// a preview again when the title has changed.

import type { Node } from '@takumi-rs/wasm';
import { NotFound, Refused } from '#common/errors.ts';
import { timeLimits } from '#common/time-limits.ts';
import { WorkerThread } from '#common/worker-thread.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { type ContributorNames, displayName } from '../../core/contributors/contributor.ts';
import { findContributorAt } from '../../core/contributors/find-contributors.ts';
import { colourOf } from '../../core/pages/layout/colours.ts';
import { anyone, type PageContext, page, redirectPermanently } from '../../core/pages/page.ts';
import { contributorPath, parseContributorPath } from '../../core/paths.ts';
import type { SiteSettings } from '../../core/site/site-fields.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { posterWords } from '../../projects/pages/list/posters.tsx';
import { findProject } from '../../projects/pages/project/find-project.ts';
import type { Project } from '../../projects/project.ts';
import { isPublic } from '../../projects/visibility/visible-to.ts';
import { type Preview, toElements } from './preview.ts';

interface PreviewImage {
  readonly path: string;
  readonly hash: string;
  readonly preview: Preview;
}

/** Larger when the images look different, so that other sites load them again. */
const version = 2;
/** How long an image may be used from a cache after its project is no longer public. */
const maxAgeSeconds = 300;

function toImage(folder: string, preview: Preview): PreviewImage {
  const hash = Bun.hash(`${version} ${JSON.stringify(preview)}`).toString(36);
  return { path: `${folder}preview-${hash}.png`, hash, preview };
}

export function projectPreview(project: Project, { name }: SiteSettings): PreviewImage {
  const words = posterWords(project);
  return toImage(`/content/${project.uuid}/`, {
    kind: project.content_type,
    colour: colourOf(project.id),
    // A long host is broken before its dots.
    words: project.content_type === 'link' ? words.replaceAll('.', '\u200b.') : words,
    person: { name: displayName(project), colour: colourOf(project.contributor) },
    site: name,
  });
}

export function contributorPreview(
  contributor: ContributorNames & { readonly id: number },
  { name }: SiteSettings,
): PreviewImage {
  const { id, username } = contributor;
  const words = displayName(contributor);
  return toImage(contributorPath(id, username), {
    kind: 'contributor',
    colour: colourOf(id),
    words,
    site: name,
  });
}

export function sitePreview({ name, tagline = '' }: SiteSettings): PreviewImage {
  return toImage('/', { kind: 'site', colour: '', words: name, site: tagline });
}

async function showProjectPreview(context: PageContext) {
  const project = await findProject({ ...context, viewer: anonymous });
  if (!isPublic(project)) throw new NotFound();
  return sendImage(context, projectPreview(project, context.layout.site));
}

async function showContributorPreview(context: PageContext) {
  const { database } = context;
  const name = parseContributorPath(context.params.name);
  const contributor = await findContributorAt(database, anonymous, name);
  return sendImage(context, contributorPreview(contributor, context.layout.site));
}

async function showSitePreview(context: PageContext) {
  return sendImage(context, sitePreview(context.layout.site));
}

/** An address with another hash redirects to the current one: only what is there is drawn. */
async function sendImage(
  context: PageContext,
  { path, hash, preview }: PreviewImage,
): Promise<PreparedResponse> {
  if (context.url.path !== path) return redirectPermanently(context, path);
  const etag = `"${hash}"`;
  const headers = {
    'Content-Type': 'image/png',
    'Cache-Control': `public, max-age=${maxAgeSeconds}, must-revalidate`,
    'Cross-Origin-Resource-Policy': 'cross-origin',
  };
  if (context.request.headers.get('If-None-Match') === etag)
    return { ...prepareResponse(200, headers), etag };
  const image = await drawPreview(hash, toElements(preview));
  return {
    ...prepareResponse(200, { ...headers, 'Content-Length': String(image.length) }),
    etag,
    streamBody: () => new Blob([image]),
  };
}

const thread = new WorkerThread<Node, Uint8Array<ArrayBuffer>>(
  new URL('./preview-thread.ts', import.meta.url),
  {
    maxWaiting: 20,
    get timeoutMs() {
      return timeLimits.preview;
    },
  },
);

const maxCachedBytes = 16_000_000;
/** The one that was used last is the last. */
const cached = new Map<string, Uint8Array<ArrayBuffer>>();
let cachedBytes = 0;
const running = new Map<string, Promise<Uint8Array<ArrayBuffer>>>();

/** A PNG. `hash` is the hash of the elements. Requests for the same image wait for one drawing. */
async function drawPreview(hash: string, elements: Node): Promise<Uint8Array<ArrayBuffer>> {
  const found = cached.get(hash);
  if (found) {
    cached.delete(hash);
    cached.set(hash, found);
    return found;
  }
  const drawing = running.get(hash) ?? draw(hash, elements).finally(() => running.delete(hash));
  running.set(hash, drawing);
  return drawing;
}

async function draw(hash: string, elements: Node): Promise<Uint8Array<ArrayBuffer>> {
  const image = await thread.run(elements);
  if (!image) throw new Refused('the preview image took too long');
  cached.set(hash, image);
  cachedBytes += image.length;
  for (const [oldest, { length }] of cached) {
    if (cachedBytes <= maxCachedBytes) break;
    cached.delete(oldest);
    cachedBytes -= length;
  }
  return image;
}

export const routes = [
  page('/:file{preview-[a-z0-9]+\\.png}/', anyone, showSitePreview),
  page('/content/:uuid/:file{preview-[a-z0-9]+\\.png}/', anyone, showProjectPreview),
  page('/contributors/:name/:file{preview-[a-z0-9]+\\.png}/', anyone, showContributorPreview),
];
