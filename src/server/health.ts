// Probes for whatever supervises the process: /livez (it runs) and /readyz (its database responds).

import { toJson } from '#common/json.ts';
import { type LifetimeOptions, RequestLifetime } from '#common/request-lifetime.ts';
import { timeLimits } from '#common/time-limits.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import type { RequestContext } from '#rest/request-context.ts';
import { changeHead, type Database } from '#sql';
import type { FileStore } from '../core/files/store.ts';

type Probe = Pick<RequestContext, 'isRead' | 'target' | 'logError'>;

export function respondToProbe(
  probe: Probe,
  database: Database,
  files: FileStore,
): Promise<PreparedResponse> | undefined {
  if (!probe.isRead) return undefined;
  if (probe.target === '/livez') return Promise.resolve(prepareStatus(200, 'alive'));
  if (probe.target === '/readyz') return checkReadiness(probe, database, files);
  return undefined;
}

async function checkReadiness(probe: Probe, database: Database, files: FileStore): Promise<PreparedResponse> {
  try {
    database.requireInPlace();
  } catch (error) {
    probe.logError(error);
    return prepareStatus(503, 'the files of the database are gone');
  }
  try {
    database.requireKnownSchema();
  } catch {
    return prepareStatus(503, 'a newer version has migrated the database');
  }
  try {
    files.requireWritable?.();
  } catch (error) {
    probe.logError(error);
    return prepareStatus(503, 'the place for files cannot be written');
  }
  try {
    await readHead(database, {});
    return prepareStatus(200, 'ready');
  } catch (error) {
    probe.logError(error);
    return readHead(database, { replicas: 'any' }).then(
      () => prepareStatus(200, 'ready to read: the database takes no writes'),
      () => prepareStatus(503, 'the database does not answer'),
    );
  }
}

const readHead = (database: Database, options: LifetimeOptions) =>
  new RequestLifetime(timeLimits.probe, { hasPriority: true, ...options }).withinTimeLimit(() =>
    database.first(changeHead),
  );

const prepareStatus = (status: number, text: string): PreparedResponse =>
  prepareResponse(
    status,
    { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    toJson({ status: text }),
  );
