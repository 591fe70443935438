import sql, { join } from 'sql-template-tag';
import { all, pick, select, unionOf } from '#sql';
import {
  type ContributorNames,
  displayName,
  fullContributorColumns,
  nameColumns,
  toContributorRow,
} from '../../core/contributors/contributor.ts';
import {
  type ContributorLine,
  contributorLine,
  formatContributorLine,
} from '../../core/contributors/contributor-line.ts';
import { contributorTable } from '../../core/contributors/tables.ts';
import { propagateName } from '../writing/store.ts';
import type { ImportContext } from './import-context.ts';
import { type Batch, keepLast } from './import-log.ts';
import { exportTable, type LineKind } from './kind.ts';
import { rightsAdvice } from './table-kind.ts';

const storedNames = {
  ...pick(contributorTable.columns, 'id'),
  ...nameColumns,
  shown_name: fullContributorColumns.shown_name,
};

export const contributorKind: LineKind<ContributorLine> = {
  format: contributorLine,
  exporter: exportTable(contributorTable, fullContributorColumns, formatContributorLine),

  async importBatch(context, batch) {
    const { transaction } = context;
    await protectNames(context, batch);
    const names = batch.map(({ entry }) => entry.username);
    const ids = batch.map(({ entry }) => entry.id);
    const existing = await transaction.all(
      unionOf(
        select(storedNames, sql`from contributor where username in (${join(names)})`),
        select(storedNames, sql`from contributor where id in (${join(ids)})`),
      ),
    );
    context.requireUnique(batch, 'username', existing);
    // A line without the member must not show a name that its owner has hidden here.
    const shownNames = new Map(existing.map(({ id, shown_name }) => [id, shown_name]));
    const rows = keepLast(batch, ({ id }) => id).map(({ first_name, last_name, shown_name, ...entry }) =>
      toContributorRow({
        ...entry,
        full_first_name: first_name,
        full_last_name: last_name,
        shown_name: shown_name ?? shownNames.get(entry.id) ?? 'full',
      }),
    );
    for (const row of rows)
      context.rememberContributor(row.id, { name: displayName(row), last_name_key: row.last_name_key });
    await transaction.upsert(contributorTable, rows);
    context.counts.contributors += rows.length;

    const rowsById = new Map(rows.map((row) => [row.id, row]));
    for (const before of existing) {
      const after = rowsById.get(before.id);
      if (after && !hasSameNames(before, after))
        await propagateName(transaction, after.id, sql`project.contributor = ${after.id}`, context.at);
    }
  },

  describeChange: ({ id }, text) => ({ subject: id, record: text }),
  idTable: contributorTable,
};

const protectedColumns = pick(
  fullContributorColumns,
  ...(['id', 'username', 'full_first_name', 'full_last_name', 'shown_name'] as const),
);

/**
 * Somebody with an account keeps the username, with which they sign in, and a full name that they hide. Those whom others look after keep
 * all names, and who has left comes not back.
 */
async function protectNames(context: ImportContext, batch: Batch<ContributorLine>): Promise<void> {
  if (!context.protectsAccounts) return;
  const ids = batch.map(({ entry }) => entry.id);
  const accounts = await context.findAccounts(ids);
  const existing = await all(context.transaction, protectedColumns)`from contributor
    where id in (${join(ids)}) and (id in (select contributor from account) or username like 'deleted-%')`;
  const rows = new Map(existing.map((row) => [row.id, row]));
  for (const { lineNumber, entry } of batch) {
    const row = rows.get(entry.id);
    if (!row) continue;
    const { id, username, first_name, last_name, shown_name } = entry;
    const refuse = (reason: string) => context.refuse(lineNumber, `${reason} ${rightsAdvice}`);
    if (row.username !== username) refuse(`username: ${id} has the account of ${row.username}.`);
    if (row.shown_name === 'username' && shown_name === 'full')
      refuse(`shown_name: ${id} hides the full name here.`);
    const isRenamed = row.full_first_name !== first_name || row.full_last_name !== last_name;
    if (isRenamed && accounts.get(id) === 'looked after')
      refuse(`id: a class looks after ${id}, who has another name here.`);
  }
}

const hasSameNames = (before: ContributorNames, after: ContributorNames) =>
  displayName(before) === displayName(after) &&
  before.last_name === after.last_name &&
  before.username === after.username;
