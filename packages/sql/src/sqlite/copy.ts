import type { Table } from '../columns.ts';
import type { CopyStatements } from '../copy-statements.ts';
import type { Schema } from '../migration.ts';

const events = ['insert', 'update', 'delete'] as const;
type Event = (typeof events)[number];

const logTrigger = ({ name }: Table, event: string) => `copy_log_${name}_${event}`;
const refusalTrigger = ({ name }: Table, event: string) => `copy_refusal_${name}_${event}`;

function createLogTrigger(table: Table, event: Event): string {
  const keyOf = (row: 'old' | 'new') =>
    `json_array(${table.key.map((column) => `${row}.${column}`).join(', ')})`;
  const changesKey = table.key.map((column) => `old.${column} <> new.${column}`).join(' or ') || 'false';
  const enter = (row: 'old' | 'new', condition = '') =>
    `insert into copy_log (name, key) select '${table.name}', ${keyOf(row)}${condition && ` where ${condition}`};`;
  const body = {
    insert: enter('new'),
    update: enter('new') + enter('old', changesKey),
    delete: enter('old'),
  };
  return `create trigger ${logTrigger(table, event)} after ${event} on ${table.name} begin ${body[event]} end`;
}

export function copyStatementsFor({ tables: findTables, content }: Schema): CopyStatements {
  const tables = findTables();
  const forEachTrigger = (toStatement: (table: Table, event: Event) => string) =>
    tables.flatMap((table) => events.map((event) => toStatement(table, event)));
  const stopLog = [
    ...forEachTrigger((table, event) => `drop trigger if exists ${logTrigger(table, event)}`),
    'drop table if exists copy_log',
  ];
  return {
    startLog: [
      ...stopLog,
      'create table copy_log (id integer primary key autoincrement, name text not null, key text not null)',
      ...forEachTrigger(createLogTrigger),
    ],
    stopLog,
    findLog: "from sqlite_schema where name = 'copy_log'",
    // Every transaction that writes holds the only lock.
    holdWrites: [],
    holdChanges: [],
    refuseWrites: forEachTrigger(
      (table, event) =>
        `create trigger ${refusalTrigger(table, event)} before ${event} on ${table.name} begin
         select raise(abort, 'The ${content} has moved to another database.'); end`,
    ),
    allowWrites: forEachTrigger((table, event) => `drop trigger if exists ${refusalTrigger(table, event)}`),
    relaxForeignKeys: [],
    enforceForeignKeys: [],
    deferForeignKeys: ['pragma defer_foreign_keys = on'],
  };
}
