// `npm run release`, and the packages that it makes: installed by npm on three versions of Node, and unpacked by dpkg.

import { beforeAll, expect, test } from 'bun:test';
import { existsSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import manifest from '../../package.json';
import { temporaryPath } from '../support/databases.ts';
import { childrenOf } from '../support/processes.ts';
import { type Server, serveWith } from '../support/server.ts';
import { canRelease, dist, makeRelease, version } from './built.ts';

const root = join(import.meta.dir, '../..');
const read = (...path: string[]) => readFileSync(join(...path), 'utf8');

/** Starts a server in a folder, and asks it for a page and for what another thread renders. */
async function expectToServe(folder: string, command: string): Promise<void> {
  const server = await serveWith(['sh', '-c', `cd '${folder}' && exec ${command} "$@"`, 'sh'], '--demo');
  for (const path of ['/', '/feed.atom']) expect((await fetch(server.address + path)).status).toBe(200);
  await stopBelow(server.process);
}

/** Stops a server that npx has started: npx and its shell do not pass signals on. */
async function stopBelow(npx: Server['process']): Promise<void> {
  let { pid } = npx;
  for (let child: number | undefined = pid; child !== undefined; [child] = childrenOf(pid)) pid = child;
  process.kill(pid);
  expect(await npx.exited).toBe(0);
}

if (canRelease) {
  beforeAll(makeRelease);

  test('the release has all that docs/releasing.md lists, with sums', async () => {
    const cells = [...read(root, 'docs/releasing.md').matchAll(/^\| (`.*?) +\|/gm)].map(
      ([, cell = '']) => cell,
    );
    const listed = cells.flatMap((cell) =>
      [...cell.matchAll(/`([^`]+)`/g)].map(([, file = '']) => file.replace('VERSION', version)),
    );
    expect(readdirSync(dist).sort()).toEqual(listed.sort());
    const sums = await Bun.$`sha256sum --check --quiet SHA256SUMS`.cwd(dist).nothrow().quiet();
    expect(sums.stderr.toString()).toBe('');
  });

  test('the list of packages has what is inside, and no tools', () => {
    const sbom = JSON.parse(read(dist, `vitrine-${version}.cdx.json`));
    const names = sbom.components.map(({ purl, name }: { purl?: string; name: string }) =>
      purl ? decodeURIComponent(purl).replace(/^pkg:npm\/(.*)@.*$/, '$1') : name,
    );
    expect(sbom.metadata.component).toMatchObject({ name: 'vitrine', version, type: 'application' });
    expect(Object.keys(manifest.dependencies).filter((name) => !names.includes(name))).toEqual([]);
    // A dependency of a dependency, what Bun has inside; and tools, which are not in it.
    expect(names).toContain('linkify-it');
    expect(names).toContain('JavaScriptCore and WebKit');
    for (const tool of ['typescript', 'playwright-core', 'vitrine-moving']) expect(names).not.toContain(tool);
  });

  test('the steps of the README lead from an empty folder to an admin who is signed in', async () => {
    const folder = temporaryPath('first-hour');
    mkdirSync(folder);
    const [, steps = ''] = /^## Run it for real$.*?```sh\n(.*?)```/ms.exec(read(root, 'README.md')) ?? [];
    const [install = '', addAdmin = '', serve = '', ...more] = steps.trim().split('\n');
    expect([serve, ...more]).toEqual(['npx vitrine serve']);
    const password = 'a long walk by the sea';
    await Bun.$`sh -c ${install.replace('./', `--no-audit --no-fund --prefer-offline ${dist}/`)}`
      .cwd(folder)
      .quiet();
    const added = await Bun.$`echo ${password} | sh -c ${addAdmin}`.cwd(folder).quiet();
    expect(added.stderr.toString()).toContain('ada has an account, as admin.\n');

    const { address, process } = await serveWith([
      'sh',
      '-c',
      `cd '${folder}' && exec npx vitrine "$@"`,
      'sh',
    ]);
    const signedIn = await fetch(`${address}/api/v1/auth/session/`, {
      method: 'POST',
      body: new URLSearchParams({ username: 'ada', password }),
    });
    expect(await signedIn.json()).toMatchObject({ username: 'ada', name: 'ada', role: 'admin' });
    await stopBelow(process);
  });

  test('npm installs the package in an empty folder, and npx starts it on Node 20, 22 and 24', async () => {
    const folder = temporaryPath('npx');
    mkdirSync(folder);
    await Bun.$`npm install --prefer-offline --no-audit --no-fund ${join(dist, `vitrine-${version}.tgz`)}`
      .cwd(folder)
      .quiet();
    for (const major of ['20', '22', '24']) {
      const nodes = temporaryPath(`node${major}`);
      mkdirSync(nodes);
      await Bun.$`npm install --prefer-offline --no-audit --no-fund node@${major}`.cwd(nodes).quiet();
      const path = `${nodes}/node_modules/node/bin`;
      expect(await Bun.$`${path}/node --version`.text()).toStartWith(`v${major}.`);
      await expectToServe(folder, `env PATH="${path}:$PATH" npx vitrine`);
    }
  });

  test('npm installs vitrine-moving and vitrine-client, which run', async () => {
    const folder = temporaryPath('others');
    mkdirSync(folder);
    const files = ['moving', 'client'].map((name) => join(dist, `vitrine-${name}-${version}.tgz`));
    await Bun.$`npm install --prefer-offline --no-audit --no-fund ${files}`.cwd(folder).quiet();
    expect(await Bun.$`node_modules/.bin/vitrine-moving --version`.cwd(folder).text()).toBe(`${version}\n`);
    const script = "import('vitrine-client').then(({ Gallery }) => console.log(typeof Gallery))";
    expect(await Bun.$`node -e ${script}`.cwd(folder).text()).toBe('function\n');
  });

  test('the Debian package has the program, the unit that starts it, and its settings for root only', async () => {
    const folder = temporaryPath('debian');
    const file = join(dist, `vitrine_${version}_amd64.deb`);
    await Bun.$`dpkg-deb --extract ${file} ${folder}`;
    expect(
      (await Bun.$`dpkg-deb --field ${file} Package Version Architecture`.text()).trim().split('\n'),
    ).toEqual(['Package: vitrine', `Version: ${version}`, 'Architecture: amd64']);
    const unit = read(folder, 'usr/lib/systemd/system/vitrine.service');
    const [, program = ''] = /^ExecStart=(\S+) serve/m.exec(unit) ?? [];
    const [, settings = ''] = /^EnvironmentFile=-(\S+)$/m.exec(unit) ?? [];
    expect(statSync(join(folder, settings)).mode & 0o777).toBe(0o600);
    for (const path of [
      'man/man1/vitrine.1.gz',
      'bash-completion/completions/vitrine',
      'doc/vitrine/README.Debian',
      'doc/vitrine/docs/running/recover.md',
      'doc/vitrine/deploy/systemd/backups.conf',
    ])
      expect(existsSync(join(folder, 'usr/share', path))).toBe(true);
    expect(read(folder, 'usr/share/doc/vitrine/copyright')).toContain('JavaScriptCore');
    expect(statSync(join(folder, 'usr/sbin/vitrine-admin')).mode & 0o7777).toBe(0o755);
    if (process.platform === 'linux' && process.arch === 'x64')
      await expectToServe(folder, join(folder, program));
  });
}

test('the workflow runs the tests as CI does, and the release only for a tag of this version', () => {
  const readJobs = (file: string) => {
    const { jobs } = Bun.YAML.parse(read(root, '.github/workflows', file)) as {
      jobs: Record<string, { if?: string; needs?: string; steps: { run?: string; uses?: string }[] }>;
    };
    return jobs;
  };
  const jobs = readJobs('ci.yml');
  expect(jobs.test?.steps.map(({ run }) => run)).toContain('.ci/run');
  expect(jobs.release).toMatchObject({ if: "startsWith(github.ref, 'refs/tags/v')", needs: 'test' });
  const steps = Object.values({ ...jobs, ...readJobs('publish.yml') }).flatMap(({ steps }) => steps);
  for (const { uses } of steps) if (uses) expect(uses).toMatch(/^actions\/[\w-]+@[0-9a-f]{40}$/);
  const scripts = steps.flatMap(({ run = '' }) => [...run.matchAll(/npm run (?:-s )?([\w:]+)/g)]);
  expect(scripts.map(([, name = '']) => name).filter((name) => !(name in manifest.scripts))).toEqual([]);
});
