// Makes a backup: a dump of one snapshot without the content of files, and beside it the files that no earlier backup
// has brought.

import type { KeyObject } from 'node:crypto';
import { OperatorError } from '#common/errors.ts';
import { type Database, first } from '#sql';
import { version } from '../../../package.json';
import { changeHeadTable } from '../../core/changes/tables.ts';
import type { FileDigest } from '../../core/files/hash.ts';
import { findUsedHashes } from '../../core/files/references.ts';
import type { FileStore } from '../../core/files/store.ts';
import { now } from '../../core/instant.ts';
import { getOrCreateSecret } from '../../core/server-secrets.ts';
import { finishUpdates } from '../../projects/people/contributor-updates.ts';
import { openDumpOutput } from '../export-import/dump-file.ts';
import { writeDump } from '../export-import/export.ts';
import { type BackedUpFile, copyFiles } from './copy-files.ts';
import {
  fileNames,
  formatListLine,
  formatManifest,
  type Manifest,
  maxMissingFiles,
  signManifest,
} from './manifest.ts';
import { loadOrigins, type Owner, secretName } from './origins.ts';
import { type BackupPlace, backupName } from './place.ts';
import { isShared, surveyPlace } from './read-backup.ts';

export interface MadeBackup {
  readonly backup: string;
  readonly manifest: Manifest;
  /** Files that no earlier backup had. */
  readonly copied: number;
}

interface BackupOptions {
  readonly privateKey?: KeyObject;
  readonly progress?: (lines: number) => void;
  /** Called before the backup counts as finished: throws if another process is making one. */
  readonly confirm?: () => Promise<void>;
}

/** A file was deleted for good after the snapshot and before it was copied: the next snapshot does not need it. */
class FileDeleted extends Error {}

const maxAttempts = 5;

export async function makeBackup(
  { database, files }: { database: Database; files: FileStore },
  place: BackupPlace,
  options: BackupOptions,
): Promise<MadeBackup> {
  const owner = {
    gallery: await getOrCreateSecret(database, secretName),
    restored_from: await loadOrigins(database),
  };
  await removeUnfinished(place, owner);
  await finishUpdates(database);
  const created = now();
  const backup = backupName(created);
  for (let attempt = 1; ; attempt++) {
    try {
      const dump = await storeDump(database, place, backup, options.progress);
      const { copied, lost } = await copyFiles(files, place.files, dump.files);
      const missing = await confirmMissing(database, lost);
      const manifest = await describeBackup(place, backup, dump, missing, { created, ...owner });
      await options.confirm?.();
      await storeManifest(place, backup, manifest, options.privateKey);
      return { backup, manifest, copied };
    } catch (error) {
      if (error instanceof FileDeleted && attempt < maxAttempts) continue;
      await place.remove(backup).catch(() => {});
      throw error;
    }
  }
}

/** Those of killed backups. One that another gallery is making looks the same. */
async function removeUnfinished(place: BackupPlace, owner: Owner): Promise<void> {
  const survey = await surveyPlace(place, owner);
  if (!isShared(survey)) for (const backup of survey.unfinished) await place.remove(backup);
}

interface StoredDump {
  readonly change: number;
  readonly lines: Readonly<Record<string, number>>;
  readonly digest: FileDigest;
  /** The files that the snapshot needs, sorted by hash. */
  readonly files: readonly BackedUpFile[];
}

async function storeDump(
  database: Database,
  place: BackupPlace,
  backup: string,
  progress: BackupOptions['progress'] = () => {},
): Promise<StoredDump> {
  const files = new Map<string, BackedUpFile>();
  let lines: StoredDump['lines'] = {};
  let change = 0;
  let written = 0;
  const digest = await place.store(backup, fileNames.dump, async (path) => {
    await using output = await openDumpOutput(path);
    await database.snapshot(async (reader) => {
      change = (await first(reader, changeHeadTable.columns)`from change_head`)?.last ?? 0;
      const noteFile = ({ hash, bytes }: BackedUpFile) => {
        files.set(hash, { hash, bytes });
        return [];
      };
      lines = await writeDump(reader, noteFile, async (text, count) => {
        await output.write(text);
        written += count;
        progress(written);
      });
    });
    await output.finish();
  });
  return {
    change,
    lines,
    digest,
    files: [...files.values()].sort((one, other) => (one.hash < other.hash ? -1 : 1)),
  };
}

/** A file that was lost and is still used is missing in the gallery itself, which `vitrine check` reports, too. */
async function confirmMissing(database: Database, lost: readonly BackedUpFile[]): Promise<BackedUpFile[]> {
  const used = await findUsedHashes(
    database,
    lost.map(({ hash }) => hash),
  );
  const missing = lost.filter(({ hash }) => used.has(hash));
  if (missing.length > maxMissingFiles)
    throw new OperatorError(
      `${missing.length} files are missing from the file store: see that --files names the right place. No backup was made.`,
    );
  if (missing.length < lost.length) throw new FileDeleted();
  return missing;
}

async function describeBackup(
  place: BackupPlace,
  backup: string,
  { change, lines, digest, files }: StoredDump,
  missing: readonly BackedUpFile[],
  origin: Pick<Manifest, 'created' | 'gallery' | 'restored_from'>,
): Promise<Manifest> {
  const missingHashes = new Set(missing.map(({ hash }) => hash));
  const copied = files.filter(({ hash }) => !missingHashes.has(hash));
  const list = await place.store(backup, fileNames.list, async (path) => {
    await writeWhole(path, copied.map(({ hash }) => formatListLine(hash)).join(''));
  });
  return {
    ...origin,
    vitrine: version,
    change,
    lines,
    dump_bytes: digest.bytes,
    dump_sha256: digest.sha256,
    list_sha256: list.sha256,
    file_count: copied.length,
    file_bytes: copied.reduce((sum, { bytes }) => sum + bytes, 0),
    missing,
  };
}

async function storeManifest(
  place: BackupPlace,
  backup: string,
  manifest: Manifest,
  privateKey: KeyObject | undefined,
): Promise<void> {
  const text = formatManifest(manifest);
  if (privateKey)
    await place.store(backup, fileNames.signature, (path) =>
      writeWhole(path, signManifest(text, privateKey)),
    );
  await place.store(backup, fileNames.manifest, (path) => writeWhole(path, text));
}

async function writeWhole(path: string, content: string | Uint8Array): Promise<void> {
  await using output = await openDumpOutput(path);
  await output.write(content);
  await output.finish();
}
