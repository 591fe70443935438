import { OperatorError } from '#common/errors.ts';
import { inspectDatabase } from '#sql/open';
import { defineCommand } from '../../core/commands/command.ts';
import { openGallery } from '../../core/open-gallery.ts';
import { schema } from '../../core/schema.ts';

export const migrateCommand = defineCommand({
  usage: 'migrate',
  help: 'Brings the database to the schema of this version, as its first start does; with --plan, says what that locks and how long it takes.',
  examples: ['vitrine migrate --plan', 'vitrine migrate'],
  settings: ['database', 'plan', 'noCopy'],
  async run({ database, plan: isPlan, noCopy }) {
    // What it does is printed while it is done.
    const options = { mustExist: true, earlierSchema: { keepsCopy: !noCopy } };
    if (!isPlan) await (await openGallery(database, undefined, options)).close();
    const { plan } = await inspectDatabase(database, { schema, replicas: [], redis: '' });
    if (!plan) throw new OperatorError('There is no gallery in the database.');
    console.log(plan.join('\n'));
    return 0;
  },
});
