// As much of S3 as the file store needs, in memory, with the failures that a test asks for.

import { closeLater } from './closing.ts';

/** How objects are sent: half of them as if that were all, or half and then nothing. */
type Mode = 'whole' | 'half' | 'hanging';

export interface S3Server {
  /** For `--files`. */
  readonly location: string;
  mode: Mode;
}

export function startS3(): S3Server {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (searchParams.has('list-type')) return new Response('<ListBucketResult></ListBucketResult>');
      if (request.method === 'PUT') {
        if (s3.mode === 'hanging') await new Promise(() => {});
        objects.set(pathname, await request.bytes());
        return new Response('', { headers: { ETag: '"1"' } });
      }
      const object = objects.get(pathname);
      if (!object) return new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 });
      const headers = { ETag: '"1"', 'Last-Modified': new Date(0).toUTCString() };
      if (request.method === 'HEAD')
        return new Response(null, { headers: { ...headers, 'Content-Length': String(object.length) } });
      const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('Range') ?? '') ?? [];
      const part = object.slice(Number(start ?? 0), Number(last ?? object.length) + 1);
      return new Response(s3.mode === 'whole' ? part : sendHalf(part, s3.mode), { status: 206, headers });
    },
  });
  const s3: S3Server = { location: `s3://gallery?endpoint=http://localhost:${server.port}`, mode: 'whole' };
  closeLater(() => server.stop(true));
  return s3;
}

function sendHalf(part: Uint8Array<ArrayBuffer>, mode: Mode): BodyInit {
  const half = part.slice(0, part.length / 2);
  if (mode === 'half') return half;
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return new Promise(() => {});
      controller.enqueue(half);
      isSent = true;
    },
  });
}
