// As much of S3 as the file store needs, in memory, with the failures that a test asks for.

import { closeLater } from './closing.ts';

/** How objects are sent: half of them as if that were all, or half and then nothing. */
type Mode = 'whole' | 'half' | 'hanging';

export interface S3Server {
  /** For `--files`. */
  readonly location: string;
  mode: Mode;
  /** How many requests get nothing more. */
  hanging: number;
  /** By their paths, which begin with the bucket. */
  readonly objects: Map<string, Uint8Array<ArrayBuffer>>;
}

export function startS3(): S3Server {
  const objects = new Map<string, Uint8Array<ArrayBuffer>>();
  const hang = () => {
    s3.hanging++;
    return new Promise<void>(() => {});
  };
  const server = Bun.serve({
    port: 0,
    idleTimeout: 0,
    async fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      if (searchParams.has('list-type')) return new Response(listObjects(objects, searchParams));
      if (searchParams.has('uploads'))
        return new Response(
          '<InitiateMultipartUploadResult><UploadId>one</UploadId></InitiateMultipartUploadResult>',
        );
      if (request.method === 'POST') {
        const parts = [...objects.keys()].filter((key) => key.startsWith(`${pathname}?part=`)).sort();
        objects.set(pathname, Buffer.concat(parts.map((key) => objects.get(key) ?? new Uint8Array())));
        for (const key of parts) objects.delete(key);
        return new Response(
          '<CompleteMultipartUploadResult><ETag>"1"</ETag></CompleteMultipartUploadResult>',
        );
      }
      const part = searchParams.get('partNumber');
      if (request.method === 'PUT') {
        if (s3.mode === 'hanging') await hang();
        const key = part === null ? pathname : `${pathname}?part=${part.padStart(5, '0')}`;
        objects.set(key, await request.bytes());
        return new Response('', { headers: { ETag: '"1"' } });
      }
      if (request.method === 'DELETE') {
        objects.delete(pathname);
        return new Response(null, { status: 204 });
      }
      const object = objects.get(pathname);
      if (!object) return new Response('<Error><Code>NoSuchKey</Code></Error>', { status: 404 });
      // Those that a signed address asks for.
      const asked = ['content-type', 'content-disposition'].flatMap((name) => {
        const value = searchParams.get(`response-${name}`);
        return value === null ? [] : [[name, value]];
      });
      const headers = {
        ETag: '"1"',
        'Last-Modified': new Date(0).toUTCString(),
        ...Object.fromEntries(asked),
      };
      if (request.method === 'HEAD')
        return new Response(null, { headers: { ...headers, 'Content-Length': String(object.length) } });
      const [, start, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.get('Range') ?? '') ?? [];
      const sent = object.slice(Number(start ?? 0), Number(last ?? object.length) + 1);
      const content = { whole: () => sent, half: () => halfOf(sent), hanging: () => sendHalf(sent, hang) };
      return new Response(content[s3.mode](), { status: 206, headers });
    },
  });
  const s3: S3Server = {
    location: `s3://gallery?endpoint=http://localhost:${server.port}`,
    mode: 'whole',
    hanging: 0,
    objects,
  };
  closeLater(() => server.stop(true));
  return s3;
}

function listObjects(objects: ReadonlyMap<string, Uint8Array>, search: URLSearchParams): string {
  const prefix = search.get('prefix') ?? '';
  const keys = [...objects.keys()].map((path) => path.split('/').slice(2).join('/')).sort();
  const found = keys.filter((key) => key.startsWith(prefix));
  const folders = new Set(
    found
      .filter((key) => key.slice(prefix.length).includes('/'))
      .map((key) => `${prefix}${key.slice(prefix.length).split('/')[0]}/`),
  );
  const entries = search.has('delimiter')
    ? [...folders].map((folder) => `<CommonPrefixes><Prefix>${folder}</Prefix></CommonPrefixes>`)
    : found.map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>${new Date(0).toISOString()}</LastModified><ETag>"1"</ETag><Size>1</Size><StorageClass>STANDARD</StorageClass></Contents>`,
      );
  return `<ListBucketResult><Name>gallery</Name><IsTruncated>false</IsTruncated>${entries.join('')}</ListBucketResult>`;
}

const halfOf = (part: Uint8Array<ArrayBuffer>) => part.slice(0, part.length / 2);

/** And then nothing. */
function sendHalf(part: Uint8Array<ArrayBuffer>, hang: () => Promise<void>): ReadableStream {
  let isSent = false;
  return new ReadableStream({
    pull(controller) {
      if (isSent) return hang();
      controller.enqueue(halfOf(part));
      isSent = true;
    },
  });
}
