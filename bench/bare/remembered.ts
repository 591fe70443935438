// Responds with the bodies in the file that the first argument names, a line of JSON each, as a cache of responses must
// at least: looks at seven headers, sets ETag, Last-Modified and a request id, and with `--log` writes a line about each.

interface Line {
  readonly path: string;
  readonly body: string;
  readonly etag: string;
  readonly modified: string;
}

const [, , file = '', option] = process.argv;
const lines = (await Bun.file(file).text()).split('\n').map((line) => JSON.parse(line) as Line);
const remembered = new Map(lines.map(({ path, ...line }) => [path, line]));
const looked = ['Accept', 'Accept-Language', 'Authorization', 'Cookie', 'If-None-Match', 'Prefer', 'Range'];
let log: string[] = [];

const server = Bun.serve({
  port: 0,
  fetch({ url, headers, method }) {
    const startedAt = performance.now();
    const path = url.slice(url.indexOf('/', 8));
    const line = remembered.get(path);
    if (!line || looked.some((name) => (headers.get(name) ?? '').includes('\n')))
      return new Response('', { status: 404 });
    const id = crypto.randomUUID();
    const response = new Response(line.body, {
      headers: {
        'Content-Type': 'application/json',
        Vary: 'Accept',
        ETag: line.etag,
        'Last-Modified': line.modified,
        'X-Request-Id': id,
      },
    });
    if (option === '--log') {
      const duration = performance.now() - startedAt;
      log.push(JSON.stringify({ id, method, path, status: 200, duration }));
      if (log.length === 100) {
        process.stdout.write(`${log.join('\n')}\n`);
        log = [];
      }
    }
    return response;
  },
});
console.log(`listening on ${server.port}`);

export {};
