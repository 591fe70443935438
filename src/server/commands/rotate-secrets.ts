import { defineCommand, printGallery, printMessage } from '../../core/commands/command.ts';
import { formatInstant } from '../../core/instant.ts';
import { openGallery } from '../../core/open-gallery.ts';
import { rotateSecrets } from '../../core/server-secrets.ts';

export const rotateSecretsCommand = defineCommand({
  usage: 'rotate-secrets',
  help: 'Replaces the secrets by which the server signs forms, cursors and the marks of known devices, while it runs; nobody is signed out.',
  examples: ['vitrine rotate-secrets', 'vitrine rotate-secrets --now'],
  settings: ['database', 'endNow'],
  async run(settings) {
    const database = await openGallery(settings.database, undefined, { mustExist: true });
    try {
      const until = await rotateSecrets(database, settings.endNow);
      printMessage(
        settings.endNow
          ? 'New secrets sign within ten seconds. What the earlier ones have signed is not valid any more: open forms must be loaded again.'
          : `New secrets sign in a minute. What the earlier ones have signed is valid until ${formatInstant(until, 'UTC')?.slice(0, 16)} UTC.`,
      );
    } finally {
      await database.close();
    }
    printGallery(settings);
    return undefined;
  },
});
