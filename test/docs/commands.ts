// Every command and call in docs/ is run as the document has it, in the order of the document. Each must succeed, and
// those after `$ ` must print what the document shows.

import { expect, test } from 'bun:test';
import { cpSync, mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { item, startOldSite } from '../../moving/test/old-site.ts';
import { scripts as packageScripts } from '../../package.json';
import { emptyDatabase, temporaryPath } from '../support/databases.ts';
import { emptyGallery } from '../support/galleries.ts';
import { jpeg } from '../support/pictures.ts';
import { program } from '../support/program.ts';
import { startS3 } from '../support/s3-server.ts';
import { serve, vitrine, vitrineWithInput } from '../support/server.ts';
import { siteOn } from '../support/site.ts';
import { startSmtp } from '../support/smtp.ts';

const root = join(import.meta.dir, '../..');
const read = (path: string) => readFileSync(join(root, path), 'utf8');

/** The decisions tell what was true when they were made. */
const documents = ['moving/README.md', ...new Bun.Glob('docs/**/*.md').scanSync(root)]
  .filter((path) => !path.startsWith('docs/decisions/'))
  .sort();

/** Names of commands in a sentence, without what they need to run. */
const names = [
  'vitrine COMMAND …',
  'vitrine backup',
  'vitrine backup-key',
  'vitrine changes index',
  'vitrine changes publish',
  'vitrine demo remove',
  'vitrine doctor',
  'vitrine import-table',
  'vitrine key',
  'vitrine key revoke',
  'vitrine mail-test',
  'vitrine site',
  'vitrine serve',
  'vitrine setup',
  'vitrine user',
  'vitrine user add',
  'vitrine user password',
  'vitrine user role',
  'vitrine-moving adopt',
  'vitrine-moving shadow',
  'vitrine-moving table',
];

interface Example {
  readonly command: string;
  /** The output that the document shows. */
  readonly shown?: string;
}

/** Of blocks: all lines of `sh`, those after `$ ` of `console`, commands in others. Of the text: commands in backticks. */
function readExamples(document: string): Example[] {
  const text = read(document);
  const found = text.matchAll(/^ *```(\w*)\n(.*?)^ *```$|`((?:vitrine(?:-moving)?|curl)\s[^`]+)`/gms);
  return [...found].flatMap(([, language, block = '', inline]) => {
    if (inline !== undefined) {
      const command = inline.replaceAll(/\s+/g, ' ');
      return names.includes(command) ? [] : [{ command }];
    }
    if (language === 'console')
      return block
        .split(/^\$ /m)
        .slice(1)
        .map((example) => {
          const [command = '', ...shown] = example.split('\n');
          return { command, shown: shown.join('\n') };
        });
    const lines = block.replaceAll(/\\\n */g, '').split('\n');
    return lines
      .map((line) => ({ command: line.trim() }))
      .filter(({ command }) =>
        language === 'sh' ? command !== '' : /^(vitrine(-moving)?|curl) /.test(command),
      );
  });
}

interface Surroundings {
  /** Where the commands run. */
  readonly folder: string;
  /** A key of ada. */
  readonly key: string;
  /** Addresses and paths in the documents, and the real ones of the test. */
  readonly places: readonly [written: RegExp, real: string][];
}

const addressOfServer = /http:\/\/localhost:8000|https:\/\/gallery\.example\.org/;

async function createSurroundings(examples: readonly Example[]): Promise<Surroundings> {
  const dump = ['gallery', 'people'].map((file) => read(`test/exchanges/${file}.ndjson`)).join('');
  const site = await siteOn('SQLite', { dump });
  const authorization = await site.key('ada');
  const key = authorization.Authorization?.replace('Token ', '') ?? '';
  const folder = temporaryPath('shell');
  mkdirSync(folder);
  await Bun.write(join(folder, 'old-site.ndjson'), dump);
  await Bun.write(join(folder, 'kite.jpg'), await jpeg(40, 30));
  await Bun.write(join(folder, 'photos/kite.jpg'), await jpeg(40, 30));
  await Bun.write(join(folder, 'our-table.csv'), 'title;name;photo\nKite;Nils Berg;kite.jpg\n');
  await Bun.write(
    join(folder, 'feed.xml'),
    '<rss version="2.0"><channel><item><title>Boat</title><link>https://blog.example/boat</link><author>mo@blog.example (Mo Okafor)</author></item></channel></rss>',
  );
  cpSync(await emptyGallery('SQLite'), join(folder, 'gallery.sqlite'));
  // Whom the commands name, where the document does not create anybody.
  if (!examples.some(({ command }) => command.includes('vitrine user add')))
    await vitrineWithInput(
      'correct horse battery',
      'user',
      'add',
      'grace',
      '--database',
      join(folder, 'gallery.sqlite'),
    );
  const ownThings = await site.get('/api/v1/me/dump/', authorization);
  await Bun.write(join(folder, 'gallery-ada-2026-11-22.zip'), await ownThings.bytes());
  await site.close();
  // Most documents have no call of a server.
  const isCalled = examples.some(({ command }) => addressOfServer.test(command));
  const { address } = isCalled
    ? await serve('--database', site.address, '--sign-up', 'open')
    : { address: 'http://localhost:1' };
  const postgres = await emptyDatabase('PostgreSQL');
  const places: Surroundings['places'] = [
    [new RegExp(addressOfServer, 'g'), address],
    [/https:\/\/old\.example\.org/g, startOldSite([item(1), item(2, {}, 'photo')]).origin],
    [/https:\/\/s3\.example\.org/g, startS3().location.replace(/^.*=/, '')],
    [/S3_ACCESS_KEY_ID=… S3_SECRET_ACCESS_KEY=…/g, 'S3_ACCESS_KEY_ID=id S3_SECRET_ACCESS_KEY=secret'],
    [/smtp:\/\/localhost:25/g, `smtp://127.0.0.1:${(await startSmtp()).port}`],
    [/postgres:\/\/vitrine:(password|…)@host\/gallery/g, postgres],
    [/Token …/g, `Token ${key}`],
    [/\/mnt\/backups|\bFOLDER\b/g, 'backups'],
    [/\bFILE\b…?/g, 'dump.ndjson'],
    [/\bUSERNAME\b/g, 'grace'],
    [/--port 8000/g, '--port 0'],
    // The name of a function has no hyphen.
    [/\bvitrine-moving\b/g, 'moving'],
    [/^vitrine user add (ada|grace)\b.*$/g, "echo 'analytical engine' | $&"],
  ];
  return { folder, key, places };
}

/** Our small version of curl runs on every machine, and curl itself where it is installed. */
const clients = {
  'test/support/curl.ts': `'${process.execPath}' '${join(root, 'test/support/curl.ts')}'`,
  ...(Bun.which('curl') && { curl: 'command curl' }),
};

const moving = `env VITRINE_ADOPT_RATE=1000 '${process.execPath}' '${join(root, 'moving/main.ts')}'`;

/** A server is stopped when it has started, and a stream after a second: 28 says that it was still open. */
const functions = async (key: string, client: string) => `
  exec < /dev/null
  export KEY='${key}' VITRINE_DATABASE=gallery.sqlite VITRINE_PORT=0
  curl() {
    case "$*" in
      */changes/stream/*) ${client} --fail --max-time 1 "$@"; [ $? = 28 ] ;;
      *) ${client} --fail "$@" ;;
    esac
  }
  vitrine() {
    case "$1" in
      serve) start '${await program()}' "$@" ;;
      *) '${await program()}' "$@" ;;
    esac
  }
  moving() {
    case "$1" in
      shadow) start ${moving} "$@" ;;
      *) ${moving} "$@" ;;
    esac
  }
  start() {
    echo > log
    "$@" >> log 2>&1 &
    for attempt in $(seq 1200); do
      if grep -q 'serves .* at http' log || ! kill -0 $!; then break; fi
      sleep 0.05
    done
    kill $! && wait $! && grep -q 'serves .* at http' log || { cat log; false; }
  }
`;

interface Outcome {
  readonly code: number;
  readonly output: string;
}

/**
 * Runs the commands in one shell. They write to a file, because Bun's pipe does not block: when this process is busy,
 * the pipe fills and curl fails (exit code 23).
 */
async function runInShell(
  { folder, key }: Surroundings,
  client: string,
  commands: readonly string[],
): Promise<Outcome[]> {
  const end = 'end of command, exit code';
  const script = [
    'exec > output 2>&1',
    await functions(key, client),
    ...commands.flatMap((command) => [command, `printf '\\n${end} %s\\n' $?`]),
  ];
  await Bun.$`sh -c ${script.join('\n')}`.cwd(folder).nothrow().quiet();
  const output = await Bun.file(join(folder, 'output')).text();
  return [...output.matchAll(new RegExp(`(.*?)\\n${end} (\\d+)\\n`, 'gs'))].map(
    ([, output = '', code = '']) => ({ code: Number(code), output }),
  );
}

/** The documents leave out where a command has written: accounts.md says so. */
const withoutGallery = (output = '') => output.replace(/^Gallery: .*\n/gm, '');

/** `…` matches any text on a line. Space at the end is ignored. */
const patternOf = (shown: string) =>
  new RegExp(`^${shown.trim().split('…').map(RegExp.escape).join('.*')}\\s*$`);

async function findWrong(examples: readonly Example[], client: string): Promise<unknown[]> {
  const surroundings = await createSurroundings(examples);
  const commands = examples.map(({ command }) =>
    surroundings.places.reduce((command, [written, real]) => command.replace(written, real), command),
  );
  const outcomes = await runInShell(surroundings, client, commands);
  return examples.flatMap(({ shown }, index) => {
    const { code, output } = outcomes[index] ?? {};
    const isRight = code === 0 && (shown === undefined || patternOf(shown).test(withoutGallery(output)));
    return isRight ? [] : [{ command: commands[index], code, output, shown }];
  });
}

for (const document of documents) {
  const examples = readExamples(document);
  if (examples.length === 0) continue;
  if (!examples.some(({ command }) => command.includes('curl ')))
    test(`the commands in ${document} do what it says`, async () => {
      expect(await findWrong(examples, '')).toEqual([]);
    });
  else
    for (const [name, client] of Object.entries(clients))
      test(`the calls in ${document} do what it says, with ${name}`, async () => {
        expect(await findWrong(examples, client)).toEqual([]);
      });
}

test('every command and npm script that the documents name exists', async () => {
  expect(documents.flatMap(readExamples).length).toBeGreaterThan(50);

  const { out } = await vitrine('help');
  const text = documents.map(read).join('\n');
  for (const name of names) expect(text).toContain(`\`${name}\``);
  for (const name of names.slice(1).filter((name) => name.startsWith('vitrine ')))
    expect(out).toMatch(new RegExp(`^  ${name.split(' ').slice(0, 2).join(' ')}\\b`, 'm'));

  const everywhere = [text, read('README.md'), read('CONTRIBUTING.md')].join('\n');
  const scripts = [...everywhere.matchAll(/npm run (?:-s )?([a-z][\w:-]*)/g)].map(
    ([, name]) => name as string,
  );
  expect(scripts.length).toBeGreaterThan(10);
  expect(scripts.filter((name) => !(name in packageScripts))).toEqual([]);
});
