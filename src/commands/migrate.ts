import { planMigrations } from '../database/open.ts';
import { openGallery } from '../gallery/open.ts';
import { defineCommand } from './command.ts';

export const migrateCommand = defineCommand({
  usage: 'migrate',
  help: 'Brings the database to the schema of this version, as its first start does; with --plan, says what that locks and how long it takes.',
  examples: ['vitrine migrate --plan', 'vitrine migrate'],
  settings: ['database', 'plan'],
  async run({ database, plan }) {
    // What it does is printed while it is done.
    if (!plan) await (await openGallery(database, undefined, { mustExist: true })).close();
    for (const line of await planMigrations(database)) console.log(line);
    return 0;
  },
});
