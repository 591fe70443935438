// Probes for whatever supervises the process: /livez (it runs) and /readyz (its database responds).

import sql from 'sql-template-tag';
import type { Database } from './database/open.ts';
import { select } from './database/query.ts';
import { changeHeadTable } from './database/schema.ts';
import { toJson } from './json.ts';
import { type PreparedResponse, prepareResponse } from './rest/prepared-response.ts';
import { withTimeout } from './timeout.ts';

const timeoutMs = 2000;

export function respondToProbe(
  method: string,
  path: string,
  database: Database,
): Promise<PreparedResponse> | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/livez') return Promise.resolve(prepareStatus(200, 'alive'));
  if (path === '/readyz') return checkReadiness(database);
  return undefined;
}

async function checkReadiness(database: Database): Promise<PreparedResponse> {
  try {
    await withTimeout(timeoutMs, database.first(select(changeHeadTable.columns, sql`from change_head`)));
    return prepareStatus(200, 'ready');
  } catch {
    return prepareStatus(503, 'the database does not answer');
  }
}

function prepareStatus(status: number, text: string): PreparedResponse {
  return prepareResponse(
    status,
    { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    toJson({ status: text }),
  );
}
