// A restored gallery is another one than that of the backup, which may go on beside it. But it has a past: the backups of the other
// one up to that from which it was restored are its own, too.

import { type Database, first, type Reader } from '#sql';
import { findSecret } from '../../core/server-secrets.ts';
import { secretTable } from '../../core/server-tables.ts';
import { type Manifest, maxOrigins } from './manifest.ts';

/** Its value is the id of the gallery. */
export const secretName = 'backups';
const recordName = 'restored from';

export type Owner = Pick<Manifest, 'gallery' | 'restored_from'>;

/** Whether a backup is of this gallery, or of its past. */
export const isOwnBackup = (
  { gallery, restored_from }: Owner,
  backup: string,
  manifest: Pick<Manifest, 'gallery'>,
): boolean =>
  manifest.gallery === gallery ||
  (restored_from ?? []).some((origin) => origin.gallery === manifest.gallery && backup <= origin.backup);

/** Has no backups, as a gallery that never made one. */
export const nobody: Owner = { gallery: '', restored_from: null };

export const findOwner = async (reader: Reader): Promise<Owner> => ({
  gallery: (await findSecret(reader, secretName)) ?? nobody.gallery,
  restored_from: await loadOrigins(reader),
});

/** Null for a gallery that was never restored. */
export async function loadOrigins(reader: Reader): Promise<Manifest['restored_from']> {
  const stored = await first(reader, secretTable.columns)`from secret where name = ${recordName}`;
  return stored ? JSON.parse(stored.value) : null;
}

export const recordOrigin = (
  database: Database,
  backup: string,
  { gallery, restored_from }: Owner,
): Promise<void> =>
  database.transaction((transaction) => {
    const value = JSON.stringify([...(restored_from ?? []), { gallery, backup }].slice(-maxOrigins));
    return transaction.upsert(secretTable, [{ name: recordName, value }]);
  });
