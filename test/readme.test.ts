// The statements of the README and docs/ are true.

import { expect, test } from 'bun:test';
import { existsSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseLine } from '../src/gallery/dump/parse-line.ts';
import { settings } from '../src/settings.ts';
import { emptyDatabase, onBothDatabases, temporaryPath } from './support/databases.ts';
import { serve } from './support/server.ts';
import { siteOn } from './support/site.ts';

const root = join(import.meta.dir, '..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

onBothDatabases((kind) => {
  test('the calls in the README answer what it shows', async () => {
    const site = await siteOn(kind, { dump: read('src/gallery/demo/gallery.ndjson') });
    const calls = [...read('README.md').matchAll(/^\$ curl 'http:\/\/(localhost:8000)(\/[^']*)'\n(.*)$/gm)];
    const heard = [];
    for (const [, host = '', path = ''] of calls)
      heard.push(await (await site.get(path, { Host: host })).text());

    expect(calls).toHaveLength(2);
    expect(heard).toEqual(calls.map(([, , , shown]) => shown as string));
  });
});

/** Types what stands behind `$ ` in a document into one shell, and gives it beside what it showed and should show. */
async function typed(document: string, prepare: string): Promise<{ shown: string[]; heard: string[] }> {
  const blocks = [...read(document).matchAll(/^```console\n(.*?)^```$/gms)].map(
    ([, block]) => block as string,
  );
  const entries = blocks.join('').split(/^\$ /m).slice(1);
  const commands = entries.map((entry) => entry.split('\n', 1)[0] as string);
  const end = '-- end of command --';
  const script = [prepare, ...commands.flatMap((command) => [command, `echo '${end}'`])].join('\n');
  const folder = temporaryPath('shell');
  mkdirSync(folder);
  const out = await Bun.$`sh -c ${script} 2>&1`.cwd(folder).quiet().text();
  const outputs = out.split(`${end}\n`).slice(0, -1);
  return {
    shown: entries,
    heard: outputs.map((output, index) => `${commands[index]}\n${output}`),
  };
}

/** `…` stands for anything on a line; where lines end does not matter. */
const asPattern = (shown: string) =>
  new RegExp(`^${shown.trim().split('…').map(RegExp.escape).join('.*')}\\s*$`);

onBothDatabases((kind) => {
  test('the commands in docs/running.md say what it shows', async () => {
    const database = await emptyDatabase(kind);
    const { shown, heard } = await typed(
      'docs/running.md',
      `export VITRINE_DATABASE='${database}'; vitrine() { (cd '${root}' && '${process.execPath}' src/main.ts "$@"); }`,
    );

    expect(shown.length).toBeGreaterThan(5);
    for (const [index, text] of shown.entries()) expect(heard[index]).toMatch(asPattern(text));
  });
});

/** Ours on every machine, and curl itself where there is one. */
const curls = { ours: `'${process.execPath}' '${join(root, 'test/support/curl.ts')}'`, curl: 'command curl' };

for (const [name, curl] of Object.entries(curls).filter(([name]) => name === 'ours' || Bun.which(name))) {
  test(`the calls in docs/api/signing-in.md answer what it shows, asked by ${name}`, async () => {
    const dump = ['gallery', 'people'].map((file) => read(`test/exchanges/${file}.ndjson`)).join('');
    const site = await siteOn('SQLite', { dump });
    await site.close();
    const server = await serve('--database', site.address);
    const { shown, heard } = await typed(
      'docs/api/signing-in.md',
      `curl() { for word do shift; set -- "$@" "$(echo "$word" | sed 's|http://localhost:8000|${server.address}|')"; done; ${curl} "$@"; echo; }`,
    );
    await server.stop();

    expect(shown.length).toBeGreaterThan(5);
    for (const [index, text] of shown.entries()) expect(heard[index]).toMatch(asPattern(text));
  });
}

test('the lines of a dump in docs/running.md are such, to the letter', () => {
  const lines = [...read('docs/running.md').matchAll(/^\{"type":.*$/gm)].map(([line]) => line);
  const again = lines.map((line) => {
    const parsed = parseLine(line);
    return typeof parsed === 'string' ? parsed : parsed.kind.format.stringify(parsed.entry);
  });

  expect(again).toEqual(lines);
  expect(lines).toHaveLength(6);
});

test('the settings in docs/running.md are those of the program', () => {
  const rows = [
    ...read('docs/running.md').matchAll(
      /^\| `--([a-z-]+)` +\| `([A-Z_]+)` +\| (?:`([^`]*)`)? *\| (.*?) +\|$/gm,
    ),
  ];

  expect(rows.map(([, flag, variable, fallback = '', help]) => ({ flag, variable, fallback, help }))).toEqual(
    Object.values(settings).map(({ flag, variable, fallback, help }) => ({ flag, variable, fallback, help })),
  );
});

test('the files that the README names exist', () => {
  const text = read('README.md');
  const named = [...text.matchAll(/(?:`|\()((?:src|docs|test|bench)\/[\w./-]+)/g)].map(
    ([, path]) => path as string,
  );
  const missing = named.filter((path) => !existsSync(join(root, path)));

  expect(missing).toEqual([]);
});
