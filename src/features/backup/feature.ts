import { OperatorError } from '#common/errors.ts';
import type { Feature } from '../../core/feature.ts';
import { inMinutes } from '../../core/settings/setting-values.ts';
import { exportImport } from '../export-import/feature.ts';
import { backupCommand, backupJob, backupKeyCommand, restoreCommand, verifyCommand } from './command.ts';
import { readPrivateKey } from './manifest.ts';
import { isBucket, openPlace } from './place.ts';

export const backup: Feature = {
  name: 'backup',
  does: 'Backups of database and files are made, signed, verified, kept and restored.',
  uses: [exportImport],
  async schedule({ backupEvery: everyMs, backupTo, signWith, keep }) {
    if ((everyMs === undefined) !== (backupTo === ''))
      throw new OperatorError('--backup-every and --backup-to belong together: how often, and where.');
    if (everyMs === undefined) return undefined;
    // A bucket that cannot be reached does not keep the server from starting.
    const address = isBucket(backupTo) ? backupTo : (await openPlace(backupTo)).address;
    if (signWith) readPrivateKey(signWith);
    return {
      name: 'The backup',
      job: backupJob(address),
      everyMs,
      args: ['backup', address],
      settings: {
        signWith,
        keep: keep.map(({ count, unit }) => `${count}${unit}`).join(','),
        unlessNewer: inMinutes(everyMs),
      },
    };
  },
  inspections: {
    Backups: async (settings, reader) => (await import('./inspect.ts')).inspectBackups(settings, reader),
  },
  commands: [
    { after: 'export', name: 'backup', command: backupCommand },
    { after: 'export', name: 'backup-key', command: backupKeyCommand },
    { after: 'export', name: 'verify', command: verifyCommand },
    { after: 'export', name: 'restore', command: restoreCommand },
  ],
};
