// The command for the settings of a site, beside a server that runs on the same database.

import { expect, test } from 'bun:test';
import { onBothDatabases, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { png } from '../support/pictures.ts';
import { serve, vitrine, writtenTo } from '../support/server.ts';
import { waitFor } from '../support/waiting.ts';

onBothDatabases((kind) => {
  test('settings that the command changes apply at once in a running server', async () => {
    const address = await emptyGallery(kind);
    const options = ['--database', address, '--files', temporaryPath('files')];
    const server = await serve(...options);
    const site = (...words: string[]) => vitrine('site', ...words, ...options);
    const openHome = async () => (await fetch(server.address)).text();
    /** PostgreSQL's caches learn of a change within half a second. */
    const waitForHome = (text: string) => waitFor(async () => (await openHome()).includes(text));
    expect(await openHome()).toContain('<bdi>Vitrine</bdi>');

    expect(await site('set', 'name', 'Kites')).toEqual({
      code: 0,
      out: '',
      error: `name is set, for all hosts.\n${writtenTo(address)}`,
    });
    expect((await site('set', 'look', 'playground', '--host', 'localhost')).code).toBe(0);
    const picture = temporaryPath('logo.png');
    await Bun.write(picture, png(300, 150));
    expect((await site('set', 'logo', picture)).code).toBe(0);
    await waitForHome('class="site-logo"');
    const home = await openHome();
    expect(home).toContain('<bdi>Kites</bdi>');
    expect(home).toContain('data-look="playground"');

    expect((await site('show', '--host', 'localhost')).out).toBe('NAME  VALUE\nlook  playground\n');
    expect((await site('show')).out).toMatch(
      /^NAME {3}VALUE\nname {3}Kites\nlogo {3}[0-9a-f]{64} \d+ 300 150\nnames {2}username\n$/,
    );
    expect((await site('reset', 'name')).error).toBe(
      `name has its default again, for all hosts.\n${writtenTo(address)}`,
    );
    await waitForHome('<bdi>Vitrine</bdi>');
  });

  test('a mistake is one sentence, and changes nothing', async () => {
    const options = ['--database', await emptyGallery(kind), '--files', temporaryPath('files')];
    const mistakes: [words: string[], sentence: string][] = [
      [['set', 'colour', 'red'], 'NAME must be one of name, tagline,'],
      [['set', 'look', 'neon'], 'look: Choose one of dusk, daylight, playground.'],
      [['set', 'name', ' '], 'VALUE is empty. To take the default, see vitrine site reset.'],
      [['set', 'contact', 'javascript:alert(1)'], 'contact: Enter an email address'],
      [['set', 'name', 'x', '--host', 'a b'], 'host: Enter a host name, such as gallery.example.org.'],
      [['set', 'logo', '/nowhere.png'], '/nowhere.png cannot be read: it is not there.'],
      [['set', 'logo', import.meta.path], 'logo: Choose a JPEG, PNG, GIF or WebP picture.'],
      [['set', 'name'], 'It is: vitrine site set NAME VALUE'],
    ];
    for (const [words, sentence] of mistakes) {
      const { code, error } = await vitrine('site', ...words, ...options);
      expect([code, error]).toEqual([2, expect.stringContaining(`vitrine: ${sentence}`)]);
    }
    expect((await vitrine('site', 'show', ...options)).out).toBe('NAME  VALUE\n');
  });
});
