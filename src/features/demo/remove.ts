// Takes the demo away, and leaves everything that people have made: also the projects of the demo that somebody has changed,
// copies of it with their files, and accounts that somebody uses for people of the demo.

import sql, { join } from 'sql-template-tag';
import { all, type Database, execute, exists, pick, type Reader } from '#sql';
import { transact, type Write } from '../../core/changes/transact.ts';
import { formatInstant, parseInstant } from '../../core/instant.ts';
import { inTrash } from '../../core/project-status.ts';
import { finishUpdates } from '../../projects/people/contributor-updates.ts';
import { deleteAccount } from '../../projects/people/delete.ts';
import { projectTable } from '../../projects/tables.ts';
import { isErasedSql } from '../../projects/visibility/visible-to.ts';
import { eraseProjects } from '../../projects/writing/erase.ts';
import { lockProjects } from '../../projects/writing/store.ts';
import demo from './gallery.ndjson' with { type: 'text' };

/** How many projects one transaction erases. */
const batchSize = 5;

interface DemoLine {
  readonly type: string;
  readonly id: number;
  readonly uuid: string;
  readonly username: string;
  readonly created: string;
  readonly modified: string;
}

const readLines = (type: string): DemoLine[] =>
  demo
    .split('\n')
    .filter(Boolean)
    .map((line): DemoLine => JSON.parse(line))
    .filter((line) => line.type === type);

const demoColumns = pick(projectTable.columns, 'id', 'uuid', 'modified');

/** The projects of the demo that nobody has changed, and in whose threads only the demo speaks. Comments come first: what they are about has karma from them. */
async function findDemoProjects(reader: Reader): Promise<number[]> {
  const modified = new Map(readLines('project').map((line) => [line.uuid, line.modified]));
  const uuids = join([...modified.keys()]);
  const rows = await all(reader, demoColumns)`from project
    where uuid in (${uuids}) and not ${isErasedSql} and not exists (
      select 1 from project as comment where comment.root = coalesce(project.root, project.id)
        and comment.uuid not in (${uuids}) and (comment.status <> ${inTrash} or comment.trashed is not null))
    order by case when content_type = 'comment' then 0 else 1 end, id`;
  return rows
    .filter((row) => modified.get(row.uuid) === formatInstant(row.modified, 'UTC'))
    .map(({ id }) => id);
}

export const hasDemo = async (reader: Reader): Promise<boolean> =>
  (await findDemoProjects(reader)).length > 0;

/** `actor` is null for the operator. Returns how many projects are gone. Killed in between, the next run goes on. */
export async function removeDemo(database: Database, actor: number | null): Promise<number> {
  let removed = 0;
  for (let count = batchSize; count > 0; removed += count) count = await transact(database, actor, eraseSome);
  for (const line of readLines('contributor')) await transact(database, actor, (write) => leave(write, line));
  await finishUpdates(database);
  return removed;
}

async function eraseSome(write: Write): Promise<number> {
  const { transaction } = write;
  const ids = (await findDemoProjects(transaction)).slice(0, batchSize);
  if (ids.length === 0) return 0;
  const projects = await lockProjects(transaction, sql`id in (${join(ids)}) and not ${isErasedSql}`);
  // Other than after a deletion by its maker, copies keep the files: nobody has taken them back.
  await execute(transaction)`update media set origin = null where origin in (${join(ids)})`;
  await eraseProjects(write, projects);
  return ids.length;
}

/** A person of the demo who has no account here, and nothing left. */
async function leave(write: Write, { id, username, created }: DemoLine): Promise<void> {
  const { transaction } = write;
  const person = sql`from contributor where id = ${id} and username = ${username}
    and created = ${parseInstant(created, 'UTC') ?? 0}
    and not exists (select 1 from account where account.contributor = contributor.id)
    and not exists (select 1 from project where project.contributor = contributor.id and not ${isErasedSql})`;
  if (await exists(transaction, person)) await deleteAccount(write, id, 'keep');
}
