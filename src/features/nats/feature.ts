import { OperatorError } from '#common/errors.ts';
import { plural, printMessage } from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import type { Feature } from '../../core/feature.ts';
import { defineOperation } from '../change-feed/command.ts';
import { changeFeed } from '../change-feed/feature.ts';
import { settings } from './settings.ts';

const publish = defineOperation({
  name: 'publish',
  does: 'publishes all changes to NATS',
  example: 'vitrine changes publish --nats nats://localhost --public-url https://a.example',
  settings: ['database', 'files', 'nats', 'natsPrefix', 'once', 'publicUrl', 'timeZone'],
  async run({ nats, natsPrefix: prefix, once: isOnce, publicUrl, timeZone, ...settings }, whenStopped) {
    if (!nats || !publicUrl)
      throw new OperatorError(
        'It is: vitrine changes publish --nats nats://host:4222 --public-url https://gallery.example.org',
      );
    const stopped = whenStopped();
    const { publishChanges } = await import('./publish.ts');
    const { serializeChange } = await import('../change-feed/api.ts');
    await using gallery = await openDatabaseAndFiles(settings);
    const count = await publishChanges(gallery, {
      address: nats,
      prefix,
      isOnce,
      serialize: (entry) => serializeChange(entry, publicUrl, timeZone),
      report: printMessage,
      stopped,
    });
    if (isOnce) console.log(`${plural(count, 'change')} published.`);
  },
});

export const nats: Feature = {
  name: 'nats',
  does: 'All changes go into a stream of NATS, in order and once each.',
  uses: [changeFeed],
  changesOperations: [publish],
  settings: { definitions: settings },
};
