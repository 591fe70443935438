import { expect, test } from 'bun:test';
import { temporaryPath } from '../support/databases.ts';
import { sources } from '../support/program.ts';
import { serve, serveBy, vitrine } from '../support/server.ts';

test('the single file serves the same as the repository', async () => {
  const version = await Bun.$`${sources} --version`.text();
  expect(version).toBe((await vitrine('--version')).out);

  const single = await serve('--demo', '--database', temporaryPath('single.sqlite'));
  const source = await serveBy(sources, '--demo', '--database', temporaryPath('source.sqlite'));
  const asked = [
    '/api/v1/projects/3/',
    '/api/v1/projects/?search=robot&ordering=karma,title',
    '/',
    '/api/v1/?format=api',
    '/api/v1/docs/?format=api',
  ];
  const answers = await Promise.all(
    [single, source].map(({ address }) =>
      Promise.all(
        asked.map(async (path) =>
          (await (await fetch(address + path)).text())
            .replaceAll(address, '')
            // That of a body with the port in it.
            .replace(/<b>ETag:.*/, ''),
        ),
      ),
    ),
  );

  expect(answers[0]).toEqual(answers[1] as string[]);
});
