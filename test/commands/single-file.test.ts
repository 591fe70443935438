import { expect, test } from 'bun:test';
import { join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { serve, serveBy, vitrine } from '../support/server.ts';

test('the single file serves the same as the repository', async () => {
  const built = temporaryPath('vitrine');
  await Bun.$`npm run -s build -- --outfile ${built}`.cwd(join(import.meta.dir, '../..')).quiet();
  const version = await Bun.$`${built} --version`.text();
  const single = await serveBy([built], '--demo', '--database', temporaryPath('single.sqlite'));
  const source = await serve('--demo', '--database', temporaryPath('source.sqlite'));
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
  await Promise.all([single.stop(), source.stop()]);

  expect(version).toBe((await vitrine('--version')).out);
  expect(answers[0]).toEqual(answers[1] as string[]);
});
