import { OperatorError } from '#common/errors.ts';
import { inspectDatabase } from '#sql/open';
import { defineCommand } from '../../core/commands/command.ts';
import { openGallery } from '../../core/open-gallery.ts';
import { schema } from '../../core/schema.ts';

export const migrateCommand = defineCommand({
  usage: 'migrate',
  help: 'Brings the database to the schema of this version, as its first start does; with --plan, says what that locks and how long it takes.',
  examples: ['vitrine migrate --plan', 'vitrine migrate'],
  settings: ['database', 'plan'],
  async run({ database, plan: isPlan }) {
    // What it does is printed while it is done.
    if (!isPlan) await (await openGallery(database, undefined, { mustExist: true })).close();
    const { plan } = await inspectDatabase(database, { schema, replicas: [], redis: '' });
    if (!plan) throw new OperatorError('There is no gallery in the database.');
    console.log(plan.join('\n'));
    return 0;
  },
});
