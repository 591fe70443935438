// For whoever watches over the process: is it alive, and can it answer.

import sql from 'sql-template-tag';
import type { Database } from './database/open.ts';
import { Unavailable } from './errors.ts';
import { toJson } from './json.ts';
import { type Answer, answer } from './rest/answer.ts';

const patience = 2000;

export function health(method: string, path: string, database: Database): Promise<Answer> | undefined {
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  if (path === '/livez') return Promise.resolve(say(200, 'alive'));
  if (path === '/readyz') return ready(database);
  return undefined;
}

async function ready(database: Database): Promise<Answer> {
  try {
    const late = Bun.sleep(patience).then(() => Promise.reject(new Unavailable()));
    await Promise.race([database.first(sql`select last from change_head`), late]);
    return say(200, 'ready');
  } catch {
    return say(503, 'the database does not answer');
  }
}

function say(status: number, text: string): Answer {
  return answer(
    status,
    { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' },
    toJson({ status: text }),
  );
}
