// Traces of earlier versions: those that have served the gallery, for `vitrine doctor`, and the copies that migrations keep.

import { z } from 'zod';
import { type Database, first, type Reader } from '#sql';
import { deleteCopiesOfEarlierSchemas } from '#sql/open';
import { version } from '../../package.json';
import { formatInstant, now } from '../core/instant.ts';
import { newest } from '../core/migrations/newest.ts';
import { secretTable } from '../core/server-tables.ts';
import type { Settings } from '../core/settings/settings.ts';
import type { Work } from '../projects/background-work.ts';

const recordName = 'versions';
const maxRecorded = 20;
const hourMs = 3_600_000;

/** A version that has served, and when it began to for the last time. Two with the same name may have different schemas. */
const servedVersions = z.array(z.object({ version: z.string(), schema: z.number(), at: z.number() }));

async function loadVersions(reader: Reader) {
  const stored = await first(reader, secretTable.columns)`from secret where name = ${recordName}`;
  return stored ? servedVersions.parse(JSON.parse(stored.value)) : [];
}

const recordVersion = (database: Database): Promise<void> =>
  database.transaction(async (transaction) => {
    const others = (await loadVersions(transaction)).filter(
      (one) => one.version !== version || one.schema !== newest,
    );
    const versions = [...others, { version, schema: newest, at: now() }].slice(-maxRecorded);
    await transaction.upsert(secretTable, [{ name: recordName, value: JSON.stringify(versions) }]);
  });

export const describeVersions = async (reader: Reader): Promise<string[]> =>
  (await loadVersions(reader)).map(
    ({ version, schema, at }) =>
      `served by ${version} with schema ${schema} (last start ${formatInstant(at, 'UTC')?.slice(0, 10)})`,
  );

export const createVersionRecord = (
  database: Database,
  { database: address }: Settings<'database'>,
  logError: (error: unknown) => void,
): Work => ({
  start() {
    const deleteOld = async () => deleteCopiesOfEarlierSchemas(address);
    const timer = setInterval(() => deleteOld().catch(logError), hourMs);
    const begun = Promise.all([recordVersion(database), deleteOld()]).catch(logError);
    return async () => {
      clearInterval(timer);
      await begun;
    };
  },
});
