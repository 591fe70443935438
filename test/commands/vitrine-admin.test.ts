// deploy/debian/vitrine-admin, which the Debian package brings: commands run as the user of the service and with its settings.

import { expect, test } from 'bun:test';
import { chmodSync, chownSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryPath } from '../support/databases.ts';
import { resultOf, start } from '../support/server.ts';

const script = readFileSync(join(import.meta.dir, '../../deploy/debian/vitrine-admin'), 'utf8');
const isRoot = process.getuid?.() === 0;
const nobody = 65_534;

/** In another place, with another user, and with a program that says how it was called. */
function install(settings: string) {
  const place = temporaryPath('debian');
  const folder = join(place, 'gallery');
  mkdirSync(folder, { recursive: true });
  const program = join(place, 'program');
  const show =
    '[ "$1" != fail ] || exit 2; id -un; pwd; env | sort | grep -v "^\\(PWD\\|SHLVL\\|_\\)="; for a in "$@"; do echo "[$a]"; [ ! -f "$a" ] || cat "$a"; done';
  writeFileSync(program, `#!/bin/sh\n${show}\n`, { mode: 0o755 });
  writeFileSync(join(place, 'vitrine.env'), settings, { mode: 0o600 });
  const path = join(place, 'vitrine-admin');
  const text = script
    .replaceAll('/etc/vitrine.env', join(place, 'vitrine.env'))
    .replace('/var/lib/vitrine', folder)
    .replace('user=vitrine', 'user=nobody')
    .replaceAll('"$user:$user"', '"$user"')
    .replaceAll('--group "$user" ', '')
    .replace('--regid="$user"', `--regid=${nobody}`)
    .replace('/usr/bin/vitrine', program);
  writeFileSync(path, text, { mode: 0o755 });
  if (isRoot) {
    chownSync(folder, nobody, nobody);
    for (const above of [place, join(place, '..')]) chmodSync(above, 0o755);
  }
  const run = (...words: string[]) =>
    resultOf(
      start(['sh', '-c', `cd ${place} && exec ${path} "$@"`, 'sh', ...words], 'ignore', {
        SECRET: 'of the caller',
        LANG: 'C.UTF-8',
        TERM: 'dumb',
      }),
    );
  return { run, folder, place };
}

const settings = `# The host names.
VITRINE_ALLOWED_HOSTS=gallery.example
VITRINE_SITE="Kites & $(touch /tmp/executed) more"
VITRINE_ALLOWED_HOSTS='gallery.example,localhost'
`;

test(`vitrine-admin runs commands as the service does${isRoot ? '' : ', for root only'}`, async () => {
  const { run, folder, place } = install(settings);
  const secret = join(place, 'picture.png');
  writeFileSync(secret, 'of root\n', { mode: 0o600 });
  const result = await run('site', 'set', 'logo', secret, '--host', 'a b');
  if (!isRoot)
    return expect(result).toEqual({
      code: 2,
      out: '',
      error: 'vitrine-admin: Run it as root: sudo vitrine-admin …\n',
    });
  expect({ ...result, out: result.out.replace(/admin-\w+/, 'admin-X') }).toEqual({
    code: 0,
    out: `nobody
${folder}
HOME=${folder}
LANG=C.UTF-8
PATH=/usr/bin:/bin
TERM=dumb
VITRINE_ALLOWED_HOSTS=gallery.example,localhost
VITRINE_DATABASE=${folder}/gallery.sqlite
VITRINE_SITE=Kites & $(touch /tmp/executed) more
[site]
[set]
[logo]
[${folder}/admin-X/picture.png]
of root
[--host]
[a b]
`,
    error: '',
  });
  // The copy is gone.
  expect(readdirSync(folder)).toEqual([]);
});

test(`words stay words, and paths lead from the folder of the caller${isRoot ? '' : ', for root only'}`, async () => {
  const { run, place } = install('');
  for (const name of ['Workshop', 'fail']) writeFileSync(join(place, name), 'of the caller\n');
  mkdirSync(join(place, 'backups'));
  if (!isRoot) return;
  const { out } = await run('site', 'Workshop', './Workshop', '../debian/backups', 'Europe/Berlin');
  expect(out.split('\n').filter((line) => line.startsWith('['))).toEqual([
    '[site]',
    '[Workshop]',
    `[${place}/Workshop]`,
    `[${join(place, '../debian/backups')}]`,
    '[Europe/Berlin]',
  ]);
  expect(await run('fail')).toEqual({
    code: 2,
    out: '',
    error: 'vitrine-admin: If you mean the file fail of this folder, write ./fail\n',
  });
});

test.each([
  ['VITRINE_SITE=one\\', 'line 1: write the value without quotes and backslashes inside.'],
  ['\nrm -rf /', 'line 2: it is no NAME=VALUE.'],
])('settings that systemd and a shell read differently are refused: %p', async (text, reason) => {
  const { run, place } = install(text);
  const result = await run('user', 'list');
  expect(result).toEqual({
    code: 2,
    out: '',
    error: `vitrine-admin: ${isRoot ? `${place}/vitrine.env, ${reason}` : 'Run it as root: sudo vitrine-admin …'}\n`,
  });
});
