// The examples in the README and docs/ are correct: commands and calls are run, and tables are compared with the code.

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
  test('the calls in the README get the responses that it shows', async () => {
    const site = await siteOn(kind, { dump: read('src/gallery/demo/gallery.ndjson') });
    const calls = [...read('README.md').matchAll(/^\$ curl 'http:\/\/(localhost:8000)(\/[^']*)'\n(.*)$/gm)];
    expect(calls).toHaveLength(2);

    for (const [, host = '', path = '', shown = ''] of calls) {
      const response = await site.get(path, { Host: host });
      expect([path, await response.text()]).toEqual([path, shown]);
    }
  });
});

interface Example {
  /** The command and the output that the document shows. */
  readonly shown: string;
  /** The command and its real output. */
  readonly actual: string;
}

/** Runs all commands after `$ ` in the console examples of a document, in one shell. */
async function runExamples(document: string, setUp: string): Promise<Example[]> {
  const blocks = [...read(document).matchAll(/^```console\n(.*?)^```$/gms)].map(
    ([, block]) => block as string,
  );
  const examples = blocks.join('').split(/^\$ /m).slice(1);
  const commands = examples.map((example) => example.split('\n', 1)[0] as string);
  const end = '-- end of command --';
  const script = [setUp, ...commands.flatMap((command) => [command, `echo '${end}'`])].join('\n');
  const folder = temporaryPath('shell');
  mkdirSync(folder);
  const output = await Bun.$`sh -c ${script} 2>&1`.cwd(folder).quiet().text();
  const outputs = output.split(`${end}\n`).slice(0, -1);
  return examples.map((shown, index) => ({ shown, actual: `${commands[index]}\n${outputs[index]}` }));
}

function expectShownOutput(examples: readonly Example[]): void {
  expect(examples.length).toBeGreaterThan(5);
  for (const { shown, actual } of examples) expect(actual).toMatch(patternOf(shown));
}

/** `…` matches any text on a line. Space at the end is ignored. */
const patternOf = (shown: string) =>
  new RegExp(`^${shown.trim().split('…').map(RegExp.escape).join('.*')}\\s*$`);

onBothDatabases((kind) => {
  test('the commands in docs/running.md print what it shows', async () => {
    const database = await emptyDatabase(kind);
    const examples = await runExamples(
      'docs/running.md',
      `export VITRINE_DATABASE='${database}'; vitrine() { (cd '${root}' && '${process.execPath}' src/main.ts "$@"); }`,
    );
    expectShownOutput(examples);
  });
});

/** Our small version of curl runs on every machine, and curl itself where it is installed. */
const clients = {
  'test/support/curl.ts': `'${process.execPath}' '${join(root, 'test/support/curl.ts')}'`,
  curl: 'command curl',
};

for (const [name, command] of Object.entries(clients).filter(
  ([name]) => name !== 'curl' || Bun.which(name),
)) {
  test(`the calls in docs/api/signing-in.md get the responses that it shows, with ${name}`, async () => {
    const dump = ['gallery', 'people'].map((file) => read(`test/exchanges/${file}.ndjson`)).join('');
    const site = await siteOn('SQLite', { dump });
    await site.close();
    const server = await serve('--database', site.address);
    const examples = await runExamples(
      'docs/api/signing-in.md',
      `curl() { for word do shift; set -- "$@" "$(echo "$word" | sed 's|http://localhost:8000|${server.address}|')"; done; ${command} "$@"; echo; }`,
    );
    expectShownOutput(examples);
    await server.stop();
  });
}

test('the lines of a dump in docs/dump.md are exactly as the export writes them', () => {
  const lines = [...read('docs/dump.md').matchAll(/^\{"type":.*$/gm)].map(([line]) => line);
  expect(lines).toHaveLength(21);

  const written = lines.map((line) => {
    const parsed = parseLine(line);
    return typeof parsed === 'string' ? parsed : parsed.kind.format.stringify(parsed.entry);
  });
  expect(written).toEqual(lines);
});

test('the table of settings in docs/running.md has every setting of the program', () => {
  const rows = [
    ...read('docs/running.md').matchAll(
      /^\| `--([a-z-]+)` +\| `([A-Z_]+)` +\| (?:`([^`]*)`)? *\| (.*?) +\|$/gm,
    ),
  ];

  expect(rows.map(([, flag, variable, fallback = '', help]) => ({ flag, variable, fallback, help }))).toEqual(
    Object.values(settings).map(({ flag, variable, fallback, help }) => ({ flag, variable, fallback, help })),
  );
});

test('all files that the README names exist', () => {
  const paths = [...read('README.md').matchAll(/(?:`|\()((?:src|docs|test|bench)\/[\w./-]+)/g)].map(
    ([, path]) => path as string,
  );

  expect(paths.filter((path) => !existsSync(join(root, path)))).toEqual([]);
});
