// The statements that create the tables of a new database, from their declarations.

import type { Column, Table } from './columns.ts';
import { createIndex, type Dialect, type Schema } from './migration.ts';
import { changeHeadTable, changeTable, secretTable } from './own-tables.ts';

/** The statements that create each table with its indexes and first row. */
export type TableStatements = Readonly<Record<string, readonly string[]>>;

/** Those of the program, and those that every database has. */
function listTables({ tables }: Schema): readonly Table[] {
  const names = new Set(tables().map(({ name }) => name));
  return [...tables(), ...[changeTable, changeHeadTable, secretTable].filter(({ name }) => !names.has(name))];
}

export function createTables(dialect: Dialect): TableStatements {
  const tables = listTables(dialect.schema);
  const keepsEarlier = tables.find(({ earlier }) => earlier);
  return {
    ...Object.fromEntries(tables.map((table) => [table.name, createTable(table, dialect)])),
    ...(tables.some(({ isSearched }) => isSearched) && { project_search: dialect.searchTable }),
    ...(keepsEarlier && { earlier_project: dialect.earlierProjectTable(keepsEarlier) }),
    change_queue: dialect.changeQueue,
  };
}

export function createTable(table: Table, dialect: Dialect): readonly string[] {
  const { name, key, indexes = [], firstRow } = table;
  const parts = [
    ...Object.entries(table.columns).map(([column, declared]) =>
      describeColumn(column, declared, table, dialect),
    ),
    ...(key.length > 1 ? [`primary key (${key.join(', ')})`] : []),
    ...referToWholeKeys(table),
  ];
  return [
    `create table ${name} (\n  ${parts.join(',\n  ')}\n)`,
    ...indexes.map((index) => createIndex(name, index)),
    ...(firstRow ? [`insert into ${name} ${firstRow}`] : []),
  ];
}

function describeColumn(
  name: string,
  { storage, constraints }: Column<unknown>,
  { key }: Table,
  dialect: Dialect,
) {
  const { isNullable, isUnique, isForeignKey = true, default: value, range, target } = constraints;
  if (constraints.isIdentity) return `${name} ${dialect.identity}`;
  const isKey = key.length === 1 && key[0] === name;
  return [
    `${name} ${dialect[storage]}`,
    isKey ? 'primary key' : isNullable ? '' : 'not null',
    isUnique ? 'unique' : '',
    value === undefined ? '' : `default ${value}`,
    range ? `check (${name} between ${range.join(' and ')})` : '',
    target && isForeignKey && !hasSeveralColumns(target)
      ? `references ${rootOf(target).name} (${rootOf(target).key[0]})`
      : '',
  ]
    .filter((part) => part !== '')
    .join(' ');
}

/** Whether rows that refer to this table have its whole key, in columns of the same names. */
const hasSeveralColumns = ({ key }: Table) => key.length > 1;

const referToWholeKeys = ({ columns }: Table) =>
  Object.values(columns).flatMap(({ constraints: { target } }) => {
    if (!target || !hasSeveralColumns(target)) return [];
    const key = target.key.join(', ');
    return [`foreign key (${key}) references ${target.name} (${key})`];
  });

/** The key of an account is its contributor: a reference to the account is one to the contributor. */
function rootOf(table: Table): Table {
  const target = table.columns[table.key[0] ?? '']?.constraints.target;
  return target ? rootOf(target) : table;
}
