import sql from 'sql-template-tag';
import type { Table } from '../columns.ts';
import { type EarlierProjects, keptOf, keptRows } from '../earlier-rows.ts';

const deleteOldest = `delete from earlier_project where number <= last_insert_rowid() - ${keptRows};`;

/** Numbers are not used again, also after all rows were deleted. */
export function earlierProjectTable(table: Table): readonly string[] {
  const kept = keptOf(table);
  return [
    `create table earlier_project (
     number integer primary key autoincrement, id integer not null, ${kept.definitions({ integer: 'integer', text: 'text' })})`,
    `create trigger earlier_project_insert after insert on project when ${kept.inserts} begin
     insert into earlier_project (id) values (new.id); ${deleteOldest} end`,
    `create trigger earlier_project_update after update of ${kept.names} on project when ${kept.updates('is not')} begin
     insert into earlier_project (id, ${kept.names}) values (old.id, ${kept.values}); ${deleteOldest} end`,
  ];
}

/** A gap before the first row: others are missing. */
export const earlierProjectGap = `insert into earlier_project (number, id)
  select coalesce(max(seq), 0) + 2, 0 from sqlite_sequence where name = 'earlier_project'`;

const last = sql`coalesce((select seq from sqlite_sequence where name = 'earlier_project'), 0)`;

/** One transaction follows another: the last number says what a statement sees. */
export const sqliteEarlierProjects: EarlierProjects = {
  marker: sql`cast(${last} as text)`,
  isAfter: (marker) => sql`number > ${Number(marker)}`,
  isComplete: (marker) =>
    sql`coalesce((select min(number) from earlier_project), ${last} + 1) <= ${Number(marker) + 1}`,
};
