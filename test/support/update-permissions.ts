// `npm run update:permissions`: renews the table of docs/api/permissions.md.

import { join } from 'node:path';
import { listPermissionRows } from './permission-rows.ts';

const root = join(import.meta.dir, '../..');
const path = 'docs/api/permissions.md';
const text = await Bun.file(join(root, path)).text();
const rows = listPermissionRows().map((cells) => `| ${cells.join(' | ')} |\n`);
await Bun.write(join(root, path), text.replace(/(?<=\n\| -[^\n]*\n)(\|[^\n]*\n)*/, rows.join('')));
await Bun.$`npx biome format --write ${path}`.cwd(root).quiet();
