import type { Table } from '../columns.ts';
import type { CopyStatements } from '../copy-statements.ts';
import type { Schema } from '../migration.ts';

function logFunction({ name, key }: Table): string {
  const enter = (row: 'old' | 'new') =>
    `insert into copy_log (name, key)
     values ('${name}', json_build_array(${key.map((column) => `${row}.${column}`).join(', ')})::text);`;
  const changesKey = key.map((column) => `old.${column} <> new.${column}`).join(' or ') || 'false';
  return `create function copy_log_${name}() returns trigger language plpgsql as $$ begin
    if tg_op = 'DELETE' then ${enter('old')} return old; end if;
    ${enter('new')}
    if tg_op = 'UPDATE' and (${changesKey}) then ${enter('old')} end if;
    return new;
  end $$`;
}

const events = 'insert or update or delete';

/** Dropping a trigger waits for transactions that read, and all others wait behind it: better it fails soon. */
const stopLog = (tables: readonly Table[]) => [
  "set local lock_timeout = '200ms'",
  ...tables.map(({ name }) => `drop function if exists copy_log_${name}() cascade`),
  'drop table if exists copy_log',
];

/** Foreign keys become deferrable, or as they were. */
const alterForeignKeys = (change: string) => `do $$ declare found record; begin
  for found in select conname, conrelid::regclass as owner from pg_constraint
               where contype = 'f' and connamespace = current_schema()::regnamespace
  loop execute format('alter table %s alter constraint %I ${change}', found.owner, found.conname); end loop;
end $$`;

/** The rows that are written when changes are numbered. */
const isNumbered = ({ name, columns }: Table) => /^(change|notification$)/.test(name) || 'count' in columns;
const lock = (tables: readonly Table[]) =>
  `lock table ${tables.map(({ name }) => name).join(', ')} in share row exclusive mode`;

export function copyStatementsFor({ tables: findTables, content }: Schema): CopyStatements {
  const tables = findTables();
  return {
    startLog: [
      ...stopLog(tables),
      "set local lock_timeout = '5s'",
      'create table copy_log (id bigint generated always as identity primary key, name text not null, key text not null)',
      ...tables.map(logFunction),
      ...tables.map(
        ({ name }) =>
          `create trigger copy_log after ${events} on ${name} for each row execute function copy_log_${name}()`,
      ),
    ],
    stopLog: stopLog(tables),
    findLog: "from pg_class where oid = to_regclass('copy_log')",
    holdWrites: [lock(tables.filter((table) => !isNumbered(table)))],
    holdChanges: [lock(tables.filter(isNumbered))],
    refuseWrites: [
      `create function copy_refusal() returns trigger language plpgsql as $$ begin
       raise exception 'The ${content} has moved to another database.' using errcode = 'read_only_sql_transaction';
     end $$`,
      ...tables.map(
        ({ name }) =>
          `create trigger copy_refusal before ${events} on ${name} for each statement execute function copy_refusal()`,
      ),
    ],
    allowWrites: ['drop function if exists copy_refusal() cascade'],
    relaxForeignKeys: [alterForeignKeys('deferrable')],
    enforceForeignKeys: [alterForeignKeys('not deferrable')],
    deferForeignKeys: ['set constraints all deferred'],
  };
}
