// A kind of dump line whose lines are the rows of one table. Its members are columns; the table says what they refer to.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { nextEventLoopTurn } from '#common/event-loop.ts';
import { all, type Columns, type ColumnsOf, pick, type Row, type Table, type Value } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { defineLine, type Member, type ValuesOf } from '../../core/dump/line-format.ts';
import { readTable } from '../../core/listing/table-listing.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import type { ImportContext } from './import-context.ts';
import { type Batch, keepLast } from './import-log.ts';
import { exportTable, type LineKind } from './kind.ts';

/** By the names of the columns. */
type MembersOf<C extends Columns> = { readonly [Name in keyof C]?: Member<C[Name]['type']> };

interface TableRules<Line> {
  /** The type of the lines: the name of the table unless it says otherwise. */
  readonly type?: string;
  /** Whether a person's own data has the rows with their id in the column `contributor`. */
  readonly ownData: boolean | OwnData<Line>;
  /** A column in which no two rows have the same value. */
  readonly unique?: keyof Line & string;
  /** The columns that an import may not change in a gallery in use; `none` if no right depends on them. */
  readonly rights: 'none' | Rights<Line> | readonly Rights<Line>[];
  /** By default, the first column of the key is the subject. Null: the change log has no entry for these lines. */
  readonly describeChange?: LineKind<Line>['describeChange'] | null;
  /** Writes rows with different keys. By default, they replace those with the same key. */
  write?(context: ImportContext, rows: readonly Line[]): Promise<void>;
}

interface OwnData<Line> {
  /** A condition for the rows. `viewer` is who reads them: the contributor, or somebody who does it for them. */
  readonly rows?: (contributor: number, viewer: Viewer) => Sql;
  /** The row as its owner may see it. */
  readonly show?: (row: Line, contributor: number) => Line;
}

/** If the lines lack columns, `write` has to know their values. */
type RulesFor<C extends Columns, Line> = TableRules<Line> &
  (keyof C extends keyof Line ? unknown : Required<Pick<TableRules<Line>, 'write'>>);

export function tableKind<
  C extends Columns,
  Key extends string,
  const Declared extends MembersOf<C> & Record<Key, Member>,
>(
  table: Table<C, Key>,
  members: Declared,
  rules: RulesFor<C, ValuesOf<Declared>>,
): LineKind<ValuesOf<Declared>> {
  type Line = ValuesOf<Declared>;
  const { type = table.name, unique, rights, write = upsert }: TableRules<Line> = rules;
  const format = defineLine(type, members);
  // The members know more about the values than the database.
  const columns = pick(table.columns, ...Object.keys(members)) as unknown as ColumnsOf<Line>;
  const [firstKey = 'id', ...otherKeys] = table.key;

  /** As a text only if it has several columns. */
  const keyOf = (line: Line): string | number =>
    otherKeys.reduce((key: string | number, column) => `${key} ${line[column]}`, line[firstKey] as number);

  function upsert({ transaction }: ImportContext, rows: readonly Line[]) {
    return transaction.upsert(table, rows as readonly Row<Table<C>>[]);
  }

  return {
    format,
    exporter: exportTable(table, columns, format.stringify),

    async importBatch(context, batch) {
      const rows = batch as unknown as Batch<LineRow>;
      await requireTargets(context, rows, table);
      for (const right of rights === 'none' ? [] : [rights].flat())
        await requireSameRows(context, batch as unknown as Batch<Line>, table, right);
      if (unique) await requireUnique(context, rows, table, unique);
      await write(context, keepLast(batch, keyOf));
    },

    describeChange:
      rules.describeChange === null
        ? undefined
        : (rules.describeChange ?? ((line) => ({ subject: Number(line[firstKey]) }))),
    idTable: firstKey === 'id' ? table : undefined,
    exportOwn: rules.ownData
      ? exportOwnRows(table, columns, format.stringify, rules.ownData === true ? {} : rules.ownData)
      : undefined,
  };
}

/** The columns of a line, whatever its kind. */
export type LineRow = Readonly<Record<string, Value>>;

/** Every reference of a line is to a row that is there. */
async function requireTargets(context: ImportContext, batch: Batch<LineRow>, { columns }: Table) {
  const [first] = batch;
  const references = Object.entries(columns).filter(([name]) => first && name in first.entry);
  const targets = references.map(([name, { constraints }]) => ({ name, target: constraints.target }));
  for (const { name, target } of targets)
    if (target && target !== contributorTable) await context.requireRows(batch, name, target);
  const people = targets.flatMap(({ name, target }) => (target === contributorTable ? [name] : []));
  // Of two people who are missing, the one whose row it is is named first.
  people.sort((one, other) => Number(other === 'contributor') - Number(one === 'contributor'));
  for (const { lineNumber, entry } of batch)
    for (const name of people) {
      const id = entry[name];
      if (typeof id === 'number') await context.requireContributor(lineNumber, id, name);
    }
}

async function requireUnique(
  context: ImportContext,
  batch: Batch<LineRow>,
  { name, columns, key }: Table,
  column: string,
): Promise<void> {
  const values = batch.map(({ entry }) => entry[column] ?? null);
  const existing = await all(context.transaction, pick(columns, ...key, column))`from ${raw(name)}
    where ${raw(column)} in (${join(values)})`;
  context.requireUnique(batch, column, existing, key);
}

/** The dump lines of one person's rows. */
function exportOwnRows<Line extends object>(
  table: Table,
  columns: ColumnsOf<Line>,
  format: (row: Line) => string,
  {
    rows: toCondition = (contributor) => sql`contributor = ${contributor}`,
    show = (row) => row,
  }: OwnData<Line>,
): NonNullable<LineKind['exportOwn']> {
  // All rows have the same owner.
  const order = { ...table, key: table.key.filter((column) => column !== 'contributor') };
  return async function* exportOwn(reader, contributor, viewer) {
    for await (const rows of readTable(reader, order, columns, toCondition(contributor, viewer))) {
      for (const row of rows) yield format(show(row, contributor));
      await nextEventLoopTurn();
    }
  };
}

// The rights that an import may not change. A dump that came from somebody else could otherwise make its author an admin of a
// running gallery, or let them read what is for others.

export const rightsAdvice =
  'Give --replace-accounts if this dump may replace accounts, keys and rights of the gallery.';

/** The rows of people with an account here. */
export const ofAccounts = async (
  context: ImportContext,
  { contributor }: { readonly contributor: number },
): Promise<boolean> => (await context.findAccounts([contributor])).has(contributor);

export interface Rights<Line> {
  /** Of a row, in messages. */
  readonly name: string;
  /** Those whose values say what anybody may do. */
  readonly columns: readonly (keyof Line & string)[];
  /** Whether they do so in this line: always by default. */
  concerns?(context: ImportContext, line: Line): boolean | Promise<boolean>;
  /** Whether a row that the gallery does not have gives nobody a right over what it has: never by default. */
  isFree?(context: ImportContext, line: Line): boolean | Promise<boolean>;
}

/** Rows have the same values in these columns already, so that an export can be imported again. */
async function requireSameRows<Line>(
  context: ImportContext,
  batch: Batch<Line>,
  table: Table,
  { name, columns, concerns = () => true, isFree = () => false }: Rights<Line>,
): Promise<void> {
  if (!context.protectsAccounts) return;
  const [key = 'id'] = table.key;
  const keyOf = (row: Readonly<Record<string, unknown>>) => table.key.map((name) => row[name]).join(' ');
  const keys = batch.map(({ entry }) => (entry as LineRow)[key] ?? null);
  const existing = await all(
    context.transaction,
    pick(table.columns, ...table.key, ...columns),
  )`from ${raw(table.name)}
    where ${raw(key)} in (${join(keys)})`;
  const rows = new Map(existing.map((row) => [keyOf(row), row]));
  const verb = key === 'id' ? 'is' : 'has';
  for (const { lineNumber, entry } of batch) {
    const line = entry as LineRow;
    const row = rows.get(keyOf(line));
    if (row ? columns.every((column) => row[column] === line[column]) : await isFree(context, entry))
      continue;
    if (!(await concerns(context, entry))) continue;
    context.refuse(lineNumber, `${key}: ${line[key]} ${verb} another ${name}, or none. ${rightsAdvice}`);
  }
}
