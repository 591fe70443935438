// /media/<hash>.<extension>: streams a file to viewers who may see a project that has it, the logo of a site, or an
// avatar; and files of features. The headers keep the file's content from running scripts, whatever it is.

import { type Context, Hono } from 'hono';
import sql, { type Sql } from 'sql-template-tag';
import { NotFound, Unavailable } from '#common/errors.ts';
import type { Authenticator } from '#rest/authenticator.ts';
import { corsHeaders, findPreflightMethod, preparePreflight } from '#rest/cors.ts';
import { MethodNotAllowed, prepareJsonError } from '#rest/error-responses.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { serveRequest } from '#rest/serve.ts';
import { type Database, first, integer, orAny, pick, type Reader } from '#sql';
import { findAvatarFile } from '../core/contributors/avatar.ts';
import { requireHash } from '../core/files/hash.ts';
import type { FileStore } from '../core/files/store.ts';
import {
  describeMediaType,
  getContentType,
  type Openness,
  type ServedFile,
} from '../core/files/stored-files.ts';
import type { FeatureDependencies } from '../core/pages/page.ts';
import { reviewsPersonSql } from '../core/reviewers.ts';
import { findLogoFile } from '../core/site/site-settings.ts';
import { anonymous, type Viewer } from '../core/viewer/viewer.ts';
import { isAvailableSql, isKeptSql, mediaColumns } from '../projects/media/media-rows.ts';
import { readableBy } from '../projects/visibility/visible-to.ts';

// Parses the Range header (RFC 9110, section 14). Only one range is supported: for several, the whole file is sent.

interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/** Undefined means the whole file. */
function parseRange(headers: Headers, size: number, etag: string): ByteRange | 'unsatisfiable' | undefined {
  const match = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(headers.get('Range')?.trim() ?? '');
  const condition = headers.get('If-Range');
  if (!match || (condition !== null && condition.trim() !== etag)) return undefined;
  const [, first = '', last = ''] = match;
  if (first === '' && last === '') return undefined;
  if (first === '') {
    const length = Math.min(size, Number(last));
    return length === 0 ? 'unsatisfiable' : { start: size - length, end: size };
  }
  const [start, end] = [Number(first), last === '' ? size : Math.min(size, Number(last) + 1)];
  if (last !== '' && Number(last) < start) return undefined;
  return start >= size ? 'unsatisfiable' : { start, end };
}

// A file is as visible as its project: a request for its bytes must find a project that the viewer may see.

const servedFileColumns = {
  ...pick(mediaColumns, 'type', 'name', 'bytes'),
  openness: integer(
    sql`case when ${isKeptSql} or not (${readableBy(anonymous)}) then 0 when visibility = 'unlisted' then 1 else 2 end`,
  ),
};

const opennessByRank: readonly Openness[] = ['hidden', 'unlisted', 'public'];

/** The file with these bytes, if the viewer may see a project that has it. */
async function findServedFile(reader: Reader, viewer: Viewer, hash: string): Promise<ServedFile | undefined> {
  const row = await first(reader, servedFileColumns)`from media_size
    join media on media.project = media_size.project and media.number = media_size.number
    join project on project.id = media_size.project
    where hash = ${hash} and (${isAvailableSql}${orAny(keptFor(viewer))}) and ${readableBy(viewer)}
    order by openness desc, project.id limit 1`;
  if (!row) return undefined;
  const { type, name, bytes, openness } = row;
  return { type, name, bytes, openness: opennessByRank[openness] ?? 'hidden' };
}

/** Its maker sees a file that is kept for later, and who reviews what the maker publishes if others look after the account. */
function keptFor(viewer: Viewer): Sql[] {
  if (viewer.contributor === null) return [];
  const isReviewed = reviewsPersonSql(viewer, sql`project.contributor`);
  return [
    sql`${isKeptSql} and project.contributor = ${viewer.contributor}`,
    ...(isReviewed ? [sql`${isKeptSql} and ${isReviewed}`] : []),
  ];
}

interface OfferedFile {
  readonly hash: string;
  readonly bytes: number;
  readonly headers: Record<string, string>;
}

/** By their paths; undefined if there is none now. */
export type OfferedFiles = Readonly<
  Record<string, (database: Database, deps: FeatureDependencies) => Promise<OfferedFile | undefined>>
>;

interface MediaDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly authenticator: Pick<Authenticator<Viewer>, 'identify'>;
  /** See `--media-url`; empty if all bytes come from here. */
  readonly mediaUrl: string;
}

const allow = 'GET, HEAD';
/** How long a file may be used from a cache after it is no longer public or is deleted. */
const maxAgeSeconds = 300;
/** A redirect is not kept until its signed address is about to end: the download begins with it. */
const redirectSeconds = 240;
const pathPattern = /^\/media\/([0-9a-f]{64})\.([a-z0-9]+)$/;

export function mediaRoutes(
  deps: MediaDependencies,
  offeredFiles: Readonly<Record<string, () => Promise<OfferedFile | undefined>>> = {},
): Hono<{ Bindings: RequestContext }> {
  const routes = new Hono<{ Bindings: RequestContext }>();
  const offered = Object.entries(offeredFiles).map(([path, find]) => ({
    path: `${path}/`,
    async prepare(_: MediaDependencies, context: RequestContext) {
      const file = await find();
      if (!file) throw new NotFound();
      return prepareServedFile(deps, context, file, file.headers);
    },
  }));
  for (const { path, prepare } of [{ path: '/media/:file/', prepare: prepareFile }, ...offered])
    routes.all(path, ({ env }: Context<{ Bindings: RequestContext }>) =>
      serveRequest(env, {
        async respond() {
          const asked = findPreflightMethod(env);
          if (asked !== undefined) return preparePreflight(env, asked);
          if (!env.isRead) throw new MethodNotAllowed(env.method);
          return prepare(deps, env);
        },
        renderError: (error) => prepareJsonError(error, { Allow: allow, ...corsHeaders }),
      }),
    );
  return routes;
}

async function prepareFile(deps: MediaDependencies, context: RequestContext) {
  const { database, authenticator } = deps;
  const [, hash = '', ending] = pathPattern.exec(context.url.path) ?? [];
  const file =
    (await findLogoFile(database, hash)) ??
    (await findServedFile(database, await authenticator.identify(context), hash)) ??
    (await findAvatarFile(database, hash));
  if (!file) throw new NotFound();
  const { type, name, bytes, openness } = file;
  const isCacheable = openness === 'public';
  const kind = describeMediaType(type);
  if (kind.extension !== ending) throw new NotFound();
  return prepareServedFile(
    deps,
    context,
    { hash, bytes },
    {
      'Content-Type': getContentType(file),
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Other sites may embed a file that everybody with its address may see.
      'Cross-Origin-Resource-Policy': openness === 'hidden' ? 'same-origin' : 'cross-origin',
      'Cache-Control': isCacheable
        ? `public, max-age=${maxAgeSeconds}, must-revalidate`
        : 'private, no-cache',
      ...(!isCacheable && { Vary: 'Authorization, Cookie' }),
      ...(!kind.display && { 'Content-Disposition': buildContentDisposition(name) }),
    },
  );
}

/** The place where a client gets the bytes of a public file, if not here. Scripts read models, from our own origin only. */
function findElsewhere(
  { files, mediaUrl }: MediaDependencies,
  { method, url: { path, search }, headers }: RequestContext,
  hash: string,
  ownHeaders: Record<string, string>,
): string | undefined {
  const isPublic = ownHeaders['Cache-Control']?.startsWith('public');
  if (!isPublic || mediaUrl === '' || method !== 'GET' || /\.(stl|glb)$/.test(path)) return undefined;
  if (mediaUrl !== 'signed') return search === '?direct' ? undefined : `${mediaUrl}${path}?direct`;
  // A player asks for more parts when the address has ended.
  return headers.has('Range') ? undefined : files.sign?.(hash, maxAgeSeconds, ownHeaders);
}

/** The origin to which clients are sent for files, for the policy of pages; empty if it is our own. */
export const findMediaOrigin = (mediaUrl: string, files: FileStore): string =>
  mediaUrl === 'signed' ? new URL(files.sign?.('any', 1, {}) ?? '').origin : mediaUrl;

/** The whole file, or the range that the request asks for. */
async function prepareServedFile(
  deps: MediaDependencies,
  context: RequestContext,
  { hash, bytes }: { readonly hash: string; readonly bytes: number },
  ownHeaders: Record<string, string>,
): Promise<PreparedResponse> {
  const { files } = deps;
  const location = findElsewhere(deps, context, hash, ownHeaders);
  if (location !== undefined) {
    const cacheControl = `public, max-age=${redirectSeconds}, must-revalidate`;
    const redirect = { Allow: allow, Location: location, 'Cache-Control': cacheControl };
    return prepareResponse(302, { ...redirect, ...corsHeaders });
  }
  const etag = `"${hash}"`;
  // A page revalidates all its pictures: their 304 needs no request to a remote file store.
  if (context.headers.get('If-None-Match') !== etag && (await files.size(hash)) !== bytes)
    throw new Unavailable(`the file ${hash} is missing from the file store`);
  const headers = {
    Allow: allow,
    ...corsHeaders,
    ...ownHeaders,
    'Accept-Ranges': 'bytes',
  };
  const range = context.method === 'GET' ? parseRange(context.headers, bytes, etag) : undefined;
  if (range === 'unsatisfiable')
    return prepareResponse(416, {
      ...headers,
      'Cache-Control': 'no-store',
      'Content-Range': `bytes */${bytes}`,
    });
  const { start, end } = range ?? { start: 0, end: bytes };
  const length = { 'Content-Length': String(end - start) };
  const part: Record<string, string> = range ? { 'Content-Range': `bytes ${start}-${end - 1}/${bytes}` } : {};
  return {
    ...prepareResponse(range ? 206 : 200, { ...headers, ...length, ...part }),
    etag,
    streamBody() {
      const body = files.stream(hash, start, end);
      return end - start === bytes ? requireHash(body, hash) : body;
    },
  };
}

/** The file name twice: in ASCII for old clients, and in UTF-8. */
function buildContentDisposition(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
