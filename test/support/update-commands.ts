// `npm run update:commands`: renews the tables of docs/reference/commands.md.

import { join } from 'node:path';
import { formatCommands } from './command-tables.ts';

const root = join(import.meta.dir, '../..');
const path = 'docs/reference/commands.md';
const text = await Bun.file(join(root, path)).text();
const [introduction] = text.split(/^## vitrine /m, 1);
await Bun.write(join(root, path), introduction + formatCommands());
await Bun.$`npx biome format --write ${path}`.cwd(root).quiet();
