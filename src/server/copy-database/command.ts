// `vitrine copy`: moves a gallery to another database while a server writes to it.

import { OperatorError } from '#common/errors.ts';
import type { Database } from '#sql';
import { defineCommand, printMessage } from '../../core/commands/command.ts';
import { createPhaseProgress } from '../../core/commands/progress-bar.ts';
import { defaultFolder } from '../../core/files/open-store.ts';
import { openGallery } from '../../core/open-gallery.ts';
import type { Settings } from '../../core/settings/settings.ts';

const settingNames = ['copyFrom', 'copyTo', 'files', 'undo'] as const;
type CopySettings = Settings<(typeof settingNames)[number]>;

export const copyCommand = defineCommand({
  usage: 'copy',
  help: 'Moves a gallery to another database while a server continues, except for the last seconds.',
  examples: [
    'vitrine copy --from gallery.sqlite --to postgres://user:password@host/name',
    'vitrine copy --from gallery.sqlite --undo',
  ],
  settings: settingNames,
  async run(settings) {
    const { copyFrom, copyTo, undo } = settings;
    if (!copyFrom || !(copyTo || undo))
      throw new OperatorError(
        'It is: vitrine copy --from gallery.sqlite --to postgres://user:password@host/name',
      );
    if (copyFrom === copyTo) throw new OperatorError('--from and --to are the same database.');
    const from = await openGallery(copyFrom, undefined, { copying: 'from', mustExist: true });
    try {
      if (!undo) return await move(from, settings);
      await (await import('./copy.ts')).undoCopy(from);
      printMessage(`${withoutPassword(copyFrom)} takes writes again.`);
      return 0;
    } finally {
      await from.close();
    }
  },
});

async function move(from: Database, settings: CopySettings): Promise<number> {
  const to = await openGallery(settings.copyTo, undefined, { copying: 'to' });
  const { copyGallery } = await import('./copy.ts');
  const { progress, end } = createPhaseProgress();
  try {
    const result = await copyGallery(from, to, progress);
    end();
    if (result) {
      const { rows, answers, equal, unequal, heldSeconds } = result;
      printMessage(
        `${rows.toLocaleString('en')} rows copied; no writes for ${heldSeconds.toFixed(1)} seconds.`,
      );
      process.stdout.write(
        `${equal.toLocaleString('en')} of ${answers.toLocaleString('en')} answers equal\n`,
      );
      if (unequal.length) {
        printMessage(
          `These differ: ${unequal.join(', ')}. The old database is still in use; run copy again.`,
        );
        return 1;
      }
    }
    printNextSteps(settings);
    return 0;
  } finally {
    end();
    await to.close();
  }
}

function printNextSteps({ copyFrom, copyTo, files }: CopySettings): void {
  const place = files || defaultFolder(copyFrom);
  printMessage(
    `The gallery has moved, and ${withoutPassword(copyFrom)} takes no more writes. Stop its server and start:\n` +
      `  vitrine serve --database ${withoutPassword(copyTo)} --files ${place}\n` +
      'To go on with the old database instead, without what is written to the new one from now on:\n' +
      `  vitrine copy --from ${withoutPassword(copyFrom)} --undo`,
  );
}

const withoutPassword = (address: string) => address.replace(/(\/\/[^:@/]*):[^@/]*@/, '$1:…@');
