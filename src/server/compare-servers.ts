// Each server records which features it leaves out (`--without`, `--only`), so that `vitrine doctor` finds those that differ. Servers that leave
// out the same have one row: the first that stops deletes it, and the others add it again.

import { all, type Database, execute, executeAlone, type Reader, text } from '#sql';
import type { Inspection } from '#sql/open';
import { now } from '../core/instant.ts';
import { addHeldJobs } from '../core/jobs/jobs.ts';
import type { AppSettings } from '../core/settings/settings.ts';
import type { Work } from '../projects/background-work.ts';

const kind = 'left out';
const renewMs = 10 * 60_000;
const holdMs = 3 * renewMs;

export const createLeftOutRecord = (
  database: Database,
  { without, only }: Pick<AppSettings, 'without' | 'only'>,
  logError: (error: unknown) => void,
): Work => ({
  start() {
    const options = [only && `--only ${only}`, ...without.toSorted().map((one) => `--without ${one}`)];
    const name = options.filter(Boolean).join(' ') || 'nothing';
    const renew = () =>
      void database
        .transaction(async (transaction) => {
          await execute(transaction)`delete from job
            where kind = ${kind} and (name = ${name} or held_until <= ${now()})`;
          await addHeldJobs(transaction, kind, [name], '', holdMs);
        })
        .catch(logError);
    const timer = setInterval(renew, renewMs);
    renew();
    return () => {
      clearInterval(timer);
      return executeAlone(database)`delete from job where kind = ${kind} and name = ${name}`.catch(logError);
    };
  },
});

export async function inspectLeftOut(reader: Reader): Promise<Inspection> {
  const rows = await all(reader, { name: text() })`from job
    where kind = ${kind} and held_until > ${now()} order by name`;
  if (rows.length < 2) return { facts: [], findings: [] };
  const problem = `Servers of this gallery leave out different features: ${rows.map(({ name }) => name).join('; ')}.`;
  const advice =
    'Start all with the same --without and --only, unless a proxy sends each request to the right one.';
  return { facts: [], findings: [{ problem, advice }] };
}
