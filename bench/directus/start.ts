// Directus beside Vitrine: on the same PostgreSQL database, with the same projects in a table that visitors may read.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PostgresServer } from '../../test/support/postgres-server.ts';
import { freePort } from '../../test/support/processes.ts';
import { runCommand, type ServerProcess, startProcess } from '../process.ts';

const version = '11.3.5';

/** The policy that Directus gives to visitors. */
const visitors = 'abf8a154-5b1c-4a46-ac9c-7300570f4f17';

/** What visitors of Vitrine may list, with an index for each order that is measured. */
const statements = [
  `create table item as select id, uuid, slug, title, content_type, contributor, copied_from, visibility, tags, text, status,
     rating_count, rating_sum, karma, created, modified
   from project where visibility = 'public' and status = 1 and thread_visibility = 0`,
  'alter table item add primary key (id)',
  'create index item_by_karma on item (karma, id)',
  'create index item_by_title on item (title, id)',
  'analyze item',
  "insert into directus_collections (collection) values ('item')",
  `insert into directus_permissions (collection, action, fields, policy, permissions, validation)
   values ('item', 'read', '*', '${visitors}', '{}', '{}')`,
];

/** Installs Directus in a folder, which is not part of the project. The server's database has a gallery. */
export async function startDirectus(server: PostgresServer, folder: string): Promise<ServerProcess> {
  const install = ['npm', 'install', '--silent', '--no-save', '--no-audit', '--no-fund', '--ignore-scripts'];
  await runCommand([...install, '--prefix', folder, `directus@${version}`]);
  replaceIsolatedVm(join(folder, 'node_modules/isolated-vm'));
  const environment = {
    DB_CLIENT: 'pg',
    DB_CONNECTION_STRING: server.address(),
    SECRET: crypto.randomUUID(),
    ADMIN_EMAIL: 'admin@example.com',
    ADMIN_PASSWORD: crypto.randomUUID(),
    HOST: '127.0.0.1',
    PORT: String(freePort()),
    // Otherwise it refuses requests when it is busy.
    PRESSURE_LIMITER_ENABLED: 'false',
    TELEMETRY: 'false',
  };
  const directus = ['node', join(folder, 'node_modules/directus/cli.js')];
  await runCommand([...directus, 'bootstrap'], '', environment);
  for (const statement of statements) await server.query(statement);
  return startProcess([...directus, 'start'], environment);
}

/** It needs a build, and only flows with scripts use it. */
function replaceIsolatedVm(folder: string): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'package.json'), '{"name":"isolated-vm","version":"0.0.0","main":"index.cjs"}');
  writeFileSync(join(folder, 'index.cjs'), 'module.exports = {};\n');
}
