// The public dump: one file of what visitors may see, which `serve --public-dump` makes and offers.

import { expect, test } from 'bun:test';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import sql from 'sql-template-tag';
import { findUsedHashes } from '../../src/core/files/references.ts';
import { removeUnused } from '../../src/core/files/store.ts';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import { serve, vitrine, vitrineIn } from '../support/server.ts';
import { ada, dump, project, type Site, siteAt, siteOn } from '../support/site.ts';
import { waitFor } from '../support/waiting.ts';

const path = '/public-dump.ndjson.gz';

const gallery = dump(
  ada,
  project(1, { title: 'A kite 凧 🪁\u2028"', text: 'é'.repeat(50_000) }),
  project(2, { visibility: 'private' }),
  project(3, { visibility: 'unlisted' }),
  project(4, { status: 0 }),
  project(5, { content_type: 'comment', parent: 1 }),
  project(6, { content_type: 'comment', parent: 2 }),
);

const optionsOf = ({ address, folder }: Site) => ['--database', address, '--files', folder];

async function fetchLines(response: Response): Promise<unknown[]> {
  const text = new TextDecoder().decode(Bun.gunzipSync(await response.bytes()));
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line));
}

const sha256 = (bytes: Uint8Array, encoding: 'hex' | 'base64') =>
  new Bun.CryptoHasher('sha256').update(bytes).digest(encoding);

onBothDatabases((kind) => {
  test('has the records that visitors can list, and is found where programs look for it', async () => {
    const first = await siteOn(kind, { dump: gallery });
    const made = await vitrine('public-dump', ...optionsOf(first));
    const site = await siteAt(first.address, {
      environment: { VITRINE_PUBLIC_DUMP: '1d', VITRINE_FILES: first.folder },
    });
    const response = await site.get(path);
    const bytes = await response.clone().bytes();

    expect(made).toMatchObject({
      code: 0,
      out: `The public dump has 2 projects in ${bytes.length} bytes, SHA-256 ${sha256(bytes, 'hex')}.\n`,
    });
    expect(response.status).toBe(200);
    expect(response.headers.get('Repr-Digest')).toBe(`sha-256=:${sha256(bytes, 'base64')}:`);
    const listed = await site.get(
      '/api/v1/projects/?ordering=created&include=content_type,contributor,parent,media,link&format=ndjson',
    );
    const records = (await listed.text())
      .replaceAll('"http://gallery.example/', '"/')
      .split('\n')
      .slice(0, -1);
    expect(await fetchLines(response)).toEqual(records.map((line) => JSON.parse(line)));

    const url = `http://gallery.example${path}`;
    expect(await (await site.get('/robots.txt')).text()).toStartWith(
      `# All public projects in one file: ${url}\n`,
    );
    expect(await (await site.get('/sitemaps/1-.xml')).text()).toContain(`<loc>${url}</loc>`);
    expect((await site.get('/api/v1/')).headers.get('Link')).toEndWith(
      `<${path}>; rel="alternate"; type="application/gzip"`,
    );
    expect(await (await site.get('/')).text()).toContain(`href="${path}" type="application/gzip"`);
    const part = await site.get(path, { Range: 'bytes=2-4' });
    expect([part.status, await part.bytes()]).toEqual([206, bytes.slice(2, 5)]);
    expect((await site.request(path, { method: 'POST' })).status).toBe(405);
  });

  test('is not offered without the setting, before it is made, or when it is more than a week old', async () => {
    const plain = await siteOn(kind, { dump: gallery });
    const options = { environment: { VITRINE_PUBLIC_DUMP: '7d', VITRINE_FILES: plain.folder } };
    const site = await siteAt(plain.address, options);
    expect((await site.get(path)).status).toBe(404);

    await vitrine('public-dump', ...optionsOf(plain));
    const hash = (await site.get(path)).headers.get('ETag')?.slice(1, -1) ?? '';
    const stored = join(plain.folder, hash.slice(0, 2), hash);
    expect((await plain.get(path)).status).toBe(404);
    expect(await (await plain.get('/robots.txt')).text()).not.toContain('public-dump');
    const removeUnusedFiles = () =>
      removeUnused(site.files, Date.now() + 1000, (names) => findUsedHashes(site.database, names));
    await sweep(site.database, site.files);
    await removeUnusedFiles();
    expect((await site.get(path)).status).toBe(200);

    const eightDays = 8 * 24 * 3600 * 1_000_000;
    await site.database.transaction((transaction) =>
      transaction.run(sql`update public_dump set created = created - ${eightDays}`),
    );
    expect((await site.get(path)).status).toBe(404);
    await sweep(site.database, site.files);
    await removeUnusedFiles();
    expect(existsSync(stored)).toBe(false);
  });

  test('a server makes it when it starts, and not again until the time is over', async () => {
    const { address, folder } = await siteOn(kind, { dump: gallery });
    const options = ['--database', address, '--files', folder];
    const server = await serve(...options, '--public-dump', '1d');
    await waitFor(() => server.lines.some((line) => line.includes('public dump')));

    expect(await fetchLines(await fetch(server.address + path))).toHaveLength(2);
    const scheduled = await vitrine('public-dump', ...options, '--unless-newer', '1d');
    expect(scheduled).toMatchObject({ code: 0, out: 'There is a newer public dump.\n' });
  });

  test('an operator makes it anew at once, although the settings of the server are in the environment', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const environment = { VITRINE_PUBLIC_DUMP: '1d' };
    await vitrineIn(environment, 'public-dump', ...optionsOf(site));
    await site.request('/api/v1/projects/1/', { method: 'DELETE', headers: await site.key('ada') });

    const made = await vitrineIn(environment, 'public-dump', ...optionsOf(site));
    expect(made.out).toStartWith('The public dump has 0 projects ');
  });
});

test('an interval of more than a week is refused', async () => {
  expect(await vitrine('serve', '--public-dump', '8d')).toMatchObject({
    code: 2,
    error: 'vitrine: --public-dump must be at most 7d; it was "8d".\n',
  });
});
