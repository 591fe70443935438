// Real nginx and Varnish with the configurations in deploy/, in front of a real server: many requests by visitors and by
// people who are signed in, while projects change and are hidden. Each answer is compared with what its reader may see,
// and with the age that the settings promise.
//
//   apt-get install nginx-light varnish varnish-modules
//   scripts/bun bench/shared-caches.ts [REQUESTS]

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'bun';
import { buildVitrineCommand, startProcess } from './process.ts';
import { Gallery, type Reader, readers } from './shared-gallery.ts';

const total = Number(process.argv[2] ?? 100_000);
const maxAgeSeconds = 10;
/** And 10 seconds to renew a response. */
const promisedMs = (maxAgeSeconds + 10) * 1000;
/** A purge follows within 0.2 s, and is repeated after one more second. */
const purgedMs = 2000;
const clients = 32;
const writeIntervalMs = 500;
const ports = { nginx: 18_601, Varnish: 18_602 };
const hosts = ['one.localhost', 'two.localhost'];

const folder = mkdtempSync(join(tmpdir(), 'shared-caches-'));
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item;
const readDeploy = (path: string) => readFileSync(join(import.meta.dir, '../deploy', path), 'utf8');

function startCaches(serverPort: number) {
  const toServer = (text: string) => text.replaceAll('8000', String(serverPort));
  const cache = join(folder, 'nginx-cache');
  mkdirSync(cache, { mode: 0o777 });
  const site = toServer(readDeploy('nginx/shared-cache.conf'))
    .replace('/var/cache/nginx/vitrine', cache)
    .replace('listen 80;', `listen 127.0.0.1:${ports.nginx};`);
  const log = `error_log ${folder}/nginx.log; pid ${folder}/nginx.pid; user root;`;
  writeFileSync(
    join(folder, 'nginx.conf'),
    `daemon off; ${log} events {} http { access_log off; keepalive_requests 1000000; ${site} }`,
  );
  writeFileSync(join(folder, 'vitrine.vcl'), toServer(readDeploy('varnish/vitrine.vcl')));
  const address = `127.0.0.1:${ports.Varnish}`;
  const varnish = ['-F', '-n', join(folder, 'varnish'), '-f', join(folder, 'vitrine.vcl'), '-a', address];
  const options = { stdout: 'ignore', stderr: Bun.file(join(folder, 'caches.log')) } as const;
  return [
    spawn(['nginx', '-p', folder, '-c', join(folder, 'nginx.conf')], options),
    spawn(['varnishd', ...varnish, '-s', 'malloc,256m', '-j', 'none'], options),
  ];
}

/** The counts of one cache. */
class CacheFigures {
  requests = 0;
  /** Answers with 200 to visitors. */
  shared = 0;
  hits = 0;
  oldestMs = 0;
  oldestHiddenMs = 0;
  readonly violations: string[] = [];
}
const figuresByCache = { nginx: new CacheFigures(), Varnish: new CacheFigures() };

async function readOnce(gallery: Gallery, reader: Reader): Promise<void> {
  const cache = Math.random() < 0.5 ? 'nginx' : 'Varnish';
  const figures = figuresByCache[cache];
  const host = pick(hosts);
  const isPage = Math.random() < 0.5;
  const language = isPage && Math.random() < 0.5 ? 'es' : 'en';
  const project = Math.random() < 0.8 ? gallery.pickProject() : undefined;
  const path = isPage ? (project?.page ?? '/') : (project?.record ?? '/api/v1/projects/?page_size=50');
  const startedAt = performance.now();
  const response = await fetch(`http://127.0.0.1:${ports[cache]}${path}`, {
    redirect: 'manual',
    headers: {
      Host: host,
      Accept: isPage ? pick(['text/html', 'text/html,application/xhtml+xml,*/*;q=0.8']) : 'application/json',
      'Accept-Language': language === 'es' ? pick(['es', 'es-MX,es;q=0.9,en;q=0.8']) : 'en-GB,en;q=0.7',
      ...(Math.random() < 0.2 && !reader.headers.Cookie && { Cookie: '_ga=1.2.3' }),
      ...reader.headers,
    },
  });
  const body = await response.text();
  figures.requests++;
  if (reader.name === 'visitor' && response.status === 200) {
    figures.shared++;
    if (/HIT|STALE|UPDATING|REVALIDATED/.test(response.headers.get('X-Cache') ?? '')) figures.hits++;
  }
  const fail = (problem: string) =>
    void figures.violations.push(`${reader.name} ${host} ${path} ${language}: ${problem}`);
  if (response.status !== 200 && response.status !== 404) fail(`status ${response.status}`);
  checkReader(reader, { isPage, language, host }, response, body, fail);
  const { staleMs, hiddenMs, problem } = gallery.check(reader, body, startedAt);
  if (problem) fail(problem);
  if (project && response.status === 404 && !project.mayBeMissingFor(reader, startedAt)) fail('is missing');
  figures.oldestMs = Math.max(figures.oldestMs, staleMs);
  figures.oldestHiddenMs = Math.max(figures.oldestHiddenMs, hiddenMs);
  const allowedMs = reader.name === 'visitor' ? (cache === 'Varnish' ? purgedMs : promisedMs) : 0;
  if (Math.max(staleMs, hiddenMs) > allowedMs) fail(`${Math.max(staleMs, hiddenMs)} ms too old`);
}

/** Whether the answer is for this person, this host, this format and this language. */
function checkReader(
  reader: Reader,
  { isPage, language, host }: { isPage: boolean; language: string; host: string },
  { status, headers }: Response,
  body: string,
  fail: (problem: string) => void,
): void {
  const cacheControl = headers.get('Cache-Control') ?? '';
  const type = isPage ? 'text/html' : 'application/json';
  if (!headers.get('Content-Type')?.startsWith(type)) fail(`is ${headers.get('Content-Type')}`);
  if (isPage && !body.includes(`<html lang="${language}"`)) fail('is in the other language');
  const shownName = /<bdi class="own-name">([^<]*)/.exec(body)?.[1];
  if (isPage && shownName !== reader.shownName) fail(`is for ${shownName ?? 'a visitor'}`);
  if (body.includes(`http://${hosts.find((other) => other !== host)}`)) fail('names the other host');
  if (reader.name === 'visitor' && status === 200 && cacheControl !== 'no-cache') fail(cacheControl);
  if (reader.name !== 'visitor' && !/private|no-store/.test(cacheControl)) fail(`is ${cacheControl}`);
  if (headers.has('Surrogate-Key') || headers.has('Set-Cookie')) fail('has headers for others');
}

async function run(): Promise<void> {
  const limits = ['--read-limit', 'off', '--write-limit', 'off', '--trusted-proxy', '127.0.0.1'];
  const database = join(folder, 'gallery.sqlite');
  const caching = ['--public-max-age', String(maxAgeSeconds), '--purge-url'];
  const purgeUrl = `http://127.0.0.1:${ports.Varnish}/`;
  const args = ['--port', '0', '--database', database, ...limits, ...caching, purgeUrl];
  const server = await startProcess(buildVitrineCommand('serve', ...args));
  const caches = startCaches(server.port);
  try {
    const gallery = await Gallery.fill(`http://localhost:${server.port}`, database);
    const people = await readers(`http://localhost:${server.port}`, database);
    await Bun.sleep(2000);
    let sent = 0;
    const startedAt = performance.now();
    const timer = setInterval(() => gallery.change().catch(console.error), writeIntervalMs);
    await Promise.all(
      Array.from({ length: clients }, async () => {
        // Nine of ten are visitors.
        while (sent++ < total) await readOnce(gallery, Math.random() < 0.9 ? people[0] : pick(people));
      }),
    );
    clearInterval(timer);
    const seconds = (performance.now() - startedAt) / 1000;
    console.log(`${total} requests in ${seconds.toFixed(0)} s, ${gallery.writes} writes`);
    for (const [name, figures] of Object.entries(figuresByCache)) {
      const hits = ((100 * figures.hits) / figures.shared).toFixed(1);
      const ages = `oldest ${Math.round(figures.oldestMs)} ms, hidden seen after ${Math.round(figures.oldestHiddenMs)} ms`;
      console.log(`${name}: ${figures.requests} requests, ${hits} % hits of ${figures.shared}, ${ages}`);
      console.log(`  ${figures.violations.length} violations`, figures.violations.slice(0, 10));
    }
    process.exitCode = Object.values(figuresByCache).some(({ violations }) => violations.length > 0) ? 1 : 0;
  } finally {
    for (const cache of caches) cache.kill();
    await Promise.all(caches.map((cache) => cache.exited));
    await server.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

await run();
