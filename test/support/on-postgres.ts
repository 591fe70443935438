// Which tests run on PostgreSQL in `npm test`, and which in `npm run test:more`. All run on SQLite in `npm test`.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Glob } from 'bun';

const root = join(import.meta.dir, '../..');

/** Written by `npm run update:on-postgres`. */
export const chosenPath = join(root, 'test/on-postgres.json');

/** The names of the tests that `npm test` runs on PostgreSQL, by file. */
export type Chosen = Readonly<Record<string, readonly string[]>>;
export const readChosen = (): Chosen => JSON.parse(readFileSync(chosenPath, 'utf8'));

/** All tests of exchanges.test.ts run on both databases too. They are many, and have names that begin with this. */
export const exchangePrefix = 'exchange of ';

/** These show how the databases differ, so all of their tests are chosen. */
export const wholeFiles = [
  'test/database/',
  'test/gallery/concurrency.test.ts',
  'test/gallery/search.test.ts',
  'test/gallery/search-engine.test.ts',
  'test/gallery/large-searches.test.ts',
  'test/commands/writers.test.ts',
];

/** The files with tests that run on both databases. */
export const filesOnBoth = (): string[] =>
  [...new Glob('test/**/*.test.ts').scanSync(root)]
    .filter((file) => readFileSync(join(root, file), 'utf8').includes('onBothDatabases('))
    .sort();

const escapeName = (name: string) => name.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');

/** As `describe` in databases.ts names them. */
const group = 'on PostgreSQL ';

/** For `bun test -t`: all tests but those on PostgreSQL that are left for later. */
export const firstTests = (): string => `^(?!${group})|^${group}(${namePattern()})$`;

/** Those that are left. */
export const laterTests = (): string => `^${group}(?!(${namePattern()})$)`;

/** Names that several files have count once. */
export const chosenTests = (): string[] => [...new Set(Object.values(readChosen()).flat())].sort();

const namePattern = () => [`${exchangePrefix}.*`, ...chosenTests().map(escapeName)].join('|');
