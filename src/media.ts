// /media/<hash>.<ending>: the bytes of a file, for whoever may see a project that has it. They are sent as they are
// read. Whatever they hold, they run nothing: not with the rights of our pages, nor with any.

import { type Context, Hono } from 'hono';
import type { Database } from './database/open.ts';
import { Failure, NotFound } from './errors.ts';
import type { Files } from './files/open.ts';
import { keptAs } from './gallery/media/find.ts';
import { kindOf } from './gallery/media/media.ts';
import type { Viewer } from './gallery/viewer.ts';
import { toJson } from './json.ts';
import { type Answer, answer } from './rest/answer.ts';
import type { Authenticator } from './rest/authenticator.ts';
import { withTimeout } from './rest/deadline.ts';
import { explain, MethodNotAllowed } from './rest/exceptions.ts';
import { rangeOf } from './rest/ranges.ts';
import type { RequestContext } from './rest/request-context.ts';

interface MediaParts {
  readonly database: Database;
  readonly files: Files;
  readonly authenticator: Pick<Authenticator<Viewer>, 'identify'>;
}

const allow = 'GET, HEAD';
const year = 365 * 24 * 3600;
const path = /^\/media\/([0-9a-f]{64})\.([a-z0-9]+)$/;

export function media(parts: MediaParts): Hono<{ Bindings: RequestContext }> {
  const routes = new Hono<{ Bindings: RequestContext }>();
  routes.all('/media/:file/', async ({ env }: Context<{ Bindings: RequestContext }>) =>
    env.respond(await serve(parts, env)),
  );
  return routes;
}

async function serve(parts: MediaParts, context: RequestContext): Promise<Answer> {
  try {
    if (context.refusal) throw context.refusal;
    if (context.method !== 'GET' && context.method !== 'HEAD') throw new MethodNotAllowed(context.method);
    return await withTimeout(context.deadline, given(parts, context));
  } catch (error) {
    if (!(error instanceof Failure)) context.report(error);
    const { status, headers, data } = explain(error);
    const more = { Allow: allow, 'Cache-Control': 'no-store', 'Content-Type': 'application/json' };
    return answer(status, { ...more, ...headers }, toJson(data));
  }
}

async function given(
  { database, files, authenticator }: MediaParts,
  context: RequestContext,
): Promise<Answer> {
  const [, hash = '', ending] = path.exec(context.path.split('?', 1)[0] as string) ?? [];
  const kept = await keptAs(database, await authenticator.identify(context), hash);
  const { type, name, bytes, open } = kept;
  const kind = kindOf(type);
  if (kind.ending !== ending) throw new NotFound();
  if ((await files.size(hash)) !== bytes) throw new Error(`the file ${hash} is not where files are`);
  const etag = `"${hash}"`;
  const headers = {
    Allow: allow,
    'Content-Type': type === 'text/plain' ? 'text/plain; charset=utf-8' : type,
    'Content-Security-Policy': "default-src 'none'; sandbox",
    // Other sites may show what anybody may see, as they may any picture of the web.
    'Cross-Origin-Resource-Policy': open ? 'cross-origin' : 'same-origin',
    'Cache-Control': open ? `public, max-age=${year}, immutable` : 'private, no-cache',
    'Accept-Ranges': 'bytes',
    ...(!open && { Vary: 'Authorization, Cookie' }),
    ...(!kind.shown && { 'Content-Disposition': attachment(name) }),
  };
  const range = context.method === 'GET' ? rangeOf(context.headers, bytes, etag) : undefined;
  if (range === 'none')
    return answer(416, { ...headers, 'Cache-Control': 'no-store', 'Content-Range': `bytes */${bytes}` });
  const { from, upTo } = range ?? { from: 0, upTo: bytes };
  const length = { 'Content-Length': String(upTo - from) };
  const part: Record<string, string> = range ? { 'Content-Range': `bytes ${from}-${upTo - 1}/${bytes}` } : {};
  return {
    ...answer(range ? 206 : 200, { ...headers, ...length, ...part }),
    etag,
    bytes: () => files.stream(hash, from, upTo),
  };
}

/** The name for those that read ASCII only, and as it is. */
function attachment(name: string): string {
  const plain = name.replace(/[^\x20-\x7e]/g, '_').replace(/["\\%]/g, '_');
  const whole = encodeURIComponent(name).replace(/['()*]/g, (sign) => `%${sign.charCodeAt(0).toString(16)}`);
  return `attachment; filename="${plain}"; filename*=UTF-8''${whole}`;
}
