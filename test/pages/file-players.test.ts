// Programs that play in place, at a site that the operator chooses.

import { expect, test } from 'bun:test';
import { openBrowser, openWindow } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { zip } from '../support/documents.ts';
import { person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada, dump, pathOf, project, siteOn } from '../support/site.ts';

const game = zip({ 'project.json': '{"targets":[]}' });

async function siteWithPrograms(kind: 'SQLite' | 'PostgreSQL', players: string) {
  const states = [
    {},
    { visibility: 'unlisted' },
    { visibility: 'private' },
    { status: 0 },
    { status: 2 },
    { status: 3 },
  ];
  const site = await siteOn(kind, {
    dump: dump(ada, ...states.map((_, index) => project(index + 1))),
    environment: { VITRINE_FILE_PLAYERS: players },
  });
  const maker = await person(site, 'ada');
  for (const [index, state] of states.entries()) {
    for (const name of ['Game.SB3', 'notes.zip']) {
      const body = new FormData();
      body.append('file', new File([new Uint8Array(game)], name));
      const path = `/api/v1/projects/${index + 1}/media/`;
      expect((await site.request(path, { method: 'POST', headers: await maker.key(), body })).status).toBe(
        201,
      );
    }
    if (Object.keys(state).length)
      expect((await maker.patch(`/api/v1/projects/${index + 1}/`, state)).status).toBeLessThan(500);
  }
  return { site, maker };
}

onBothDatabases((kind) => {
  test('a file with the ending plays at that site after a click, if visitors can read it', async () => {
    const { site, maker } = await siteWithPrograms(
      kind,
      '.sb3=https://player.example/embed?project_url={url}&a=1,2 .stl=https://other.example/{url}',
    );
    const page = await visitor(site).open(pathOf(1));
    const [media] = await (await visitor(site).get('/api/v1/projects/1/media/')).json();
    const address = `https://player.example/embed?project_url=${encodeURIComponent(media.sizes[0].url)}&a=1,2`;
    expect(page.attributesOf('a[data-player]', 'data-player')).toEqual([address]);
    expect(page.attributesOf('a[data-player]', 'href')).toEqual([address]);
    expect(page.attributesOf('a[data-player]', 'aria-label')).toEqual(['Play “Game.SB3”']);
    expect(page.text).toContain(
      '“Game.SB3” plays at player.example, which gets the file once you press play.',
    );
    const policyOf = async (path: string) =>
      /; frame-src (.*)$/.exec(
        (await visitor(site).get(path)).headers.get('Content-Security-Policy') ?? '',
      )?.[1];
    expect(await policyOf(pathOf(1))).toBe('https://player.example');
    expect(await policyOf('/')).toBeUndefined();

    const shown = [];
    for (const id of [1, 2, 3, 4, 5, 6])
      shown.push((await maker.open(pathOf(id))).attributesOf('a[data-player]', 'href').length);
    // Public, unlisted, private, a draft, archived; removed stays public, as only moderators remove.
    expect(shown).toEqual([1, 1, 0, 0, 1, 1]);
  });
});

test('nothing plays at the host of the gallery, or without an operator who wants it', async () => {
  const { site } = await siteWithPrograms('SQLite', '.sb3=http://localhost/embed?project_url={url}');
  const own = await site.request(pathOf(1), { headers: { Host: 'localhost' } });
  expect(await own.text()).not.toContain('data-player');
  const off = await siteWithPrograms('SQLite', '');
  expect((await visitor(off.site).open(pathOf(1))).attributesOf('a[data-player]', 'href')).toEqual([]);

  const start = (...players: string[]) =>
    vitrine(
      ...['serve', '--port', '0', '--database', temporaryPath('players.sqlite')],
      ...['--allowed-host', '.gallery.example'],
      ...players.flatMap((player) => ['--file-player', player]),
    );
  for (const player of ['.sb3=https://gallery.example/play?{url}', '.sb3=https://www.gallery.example/{url}'])
    expect(await start('.hex=https://player.example/{url}', player)).toEqual({
      code: 2,
      out: '',
      error: expect.stringContaining(
        'a host of the gallery: files that people upload must run at another one.',
      ),
    });
  for (const player of [
    'sb3=https://player.example/{url}',
    '.sb3=https://player.example/',
    '.sb3=http://player.example/{url}',
    '.sb3=https://{url}/',
    '.sb3=https://ada@player.example/{url}',
    '.sb3=javascript:{url}',
  ])
    expect(await start(player)).toEqual({
      code: 2,
      out: '',
      error: expect.stringContaining('must be an ending and the address of a player with {url} for the file'),
    });
});

test('a click plays the file in a frame of the other site, and nothing is asked of it before', async () => {
  const asked: string[] = [];
  const player = Bun.serve({
    port: 0,
    fetch({ url }) {
      asked.push(new URL(url).pathname);
      const script = `fetch(new URLSearchParams(location.search).get('project_url')).then((answer) => answer.arrayBuffer())
        .then((bytes) => { document.body.textContent = bytes.byteLength + ' bytes at ' + location.host; })
        .catch((error) => { document.body.textContent = String(error); });
        try { document.cookie = 'a=b'; top.document.title = 'Mine'; } catch {}`;
      return new Response(`<body><script>${script}</script>`, { headers: { 'Content-Type': 'text/html' } });
    },
  });
  closeLater(() => player.stop(true));
  const { site } = await siteWithPrograms(
    'SQLite',
    `.sb3=http://127.0.0.1:${player.port}/embed?project_url={url}`,
  );
  const page = await (await openWindow(await openBrowser(), visitor(site))).newPage();
  await page.goto(pathOf(1));
  const title = await page.title();
  expect(asked).toEqual([]);
  await page.getByRole('link', { name: 'Play “Game.SB3”' }).click();
  const frame = page.frameLocator('iframe');
  await frame.getByText(`${game.length} bytes at 127.0.0.1:${player.port}`).waitFor();
  expect(await page.locator('iframe').getAttribute('sandbox')).not.toContain('allow-top-navigation');
  expect(await page.title()).toBe(title);
  expect(asked).toContain('/embed');
});
