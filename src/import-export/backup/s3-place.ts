import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { hashFile } from '../../files/hash.ts';
import { openS3Store } from '../../files/s3.ts';
import { fileNames } from './manifest.ts';
import { type BackupPlace, isBackupName } from './place.ts';

export async function openS3Place(location: string): Promise<BackupPlace> {
  const store = await openS3Store(location, 'backups');
  return {
    address: location,
    addressOf: (backup) => appendPath(location, backup),
    files: store.within('files'),
    list: async () => (await store.listFolders()).filter(isBackupName).sort(),
    size: (backup, file) => store.within(backup).size(file),
    stream: (backup, file, size) => store.within(backup).stream(file, 0, size),
    /** On disk first, so that the bucket never has a half-written file and its hash is that of what was written. */
    async store(backup, file, write) {
      const folder = await mkdtemp(join(tmpdir(), 'vitrine-backup-'));
      try {
        const path = join(folder, file);
        await write(path);
        await store.within(backup).put(file, Bun.file(path));
        return await hashFile(path);
      } finally {
        await rm(folder, { recursive: true, force: true });
      }
    },
    async remove(backup) {
      const backupStore = store.within(backup);
      for (const name of Object.values(fileNames))
        if ((await backupStore.size(name)) !== undefined) await backupStore.remove(name);
    },
  };
}

/** The path is before the settings of the bucket. */
function appendPath(location: string, name: string): string {
  const url = new URL(location);
  url.pathname = `${url.pathname.replace(/\/+$/, '')}/${name}`;
  return url.href;
}

/** The last part of the path, and the location without it. */
export function splitPath(location: string): { name: string; parent: string } {
  const url = URL.parse(location);
  const name = url?.pathname.split('/').findLast(Boolean) ?? '';
  if (url) url.pathname = url.pathname.slice(0, url.pathname.lastIndexOf(name)).replace(/\/+$/, '');
  return { name, parent: url?.href ?? location };
}
