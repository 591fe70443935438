import sql, { join } from 'sql-template-tag';
import { pick } from '../../../database/columns.ts';
import { select, unionOf } from '../../../database/query.ts';
import { contributorTable } from '../../../database/schema.ts';
import { contributorColumns, nameColumns } from '../../contributors/columns.ts';
import { type ContributorNames, displayName, usernameKey } from '../../contributors/contributor.ts';
import { type ContributorLine, contributorLine } from '../../contributors/contributor-line.ts';
import { propagateName } from '../../contributors/propagate-name.ts';
import { sortKey } from '../../words.ts';
import { exportTable } from '../export-table.ts';
import { keepLast, type LineKind } from '../kind.ts';
import { protectUsernames } from '../protected-accounts.ts';

const storedNames = { ...pick(contributorTable.columns, 'id'), ...nameColumns };

export const contributorKind: LineKind<ContributorLine> = {
  format: contributorLine,
  exporter: exportTable(contributorTable, contributorColumns, contributorLine.stringify),

  async importBatch(context, batch) {
    const { transaction } = context;
    await protectUsernames(context, batch);
    const names = batch.map(({ entry }) => entry.username);
    const ids = batch.map(({ entry }) => entry.id);
    const existing = await transaction.all(
      unionOf(
        select(storedNames, sql`from contributor where username in (${join(names)})`),
        select(storedNames, sql`from contributor where id in (${join(ids)})`),
      ),
    );
    context.requireUnique(batch, 'username', existing);
    const rows = keepLast(batch, ({ id }) => id).map((entry) => ({
      ...entry,
      last_name_key: sortKey(entry.last_name),
      username_key: usernameKey(entry.username),
    }));
    for (const row of rows)
      context.rememberContributor(row.id, { name: displayName(row), last_name_key: row.last_name_key });
    await transaction.upsert(contributorTable, rows);
    context.counts.contributors += rows.length;

    const rowsById = new Map(rows.map((row) => [row.id, row]));
    for (const before of existing) {
      const after = rowsById.get(before.id);
      if (after && !hasSameNames(before, after))
        await propagateName(transaction, after.id, sql`1 = 1`, context.at);
    }
  },

  describeChange: ({ id }, text) => ({ subject: id, record: text }),
  finishImport: ({ transaction }) => transaction.skipUsedIds(contributorTable),
};

const hasSameNames = (before: ContributorNames, after: ContributorNames) =>
  displayName(before) === displayName(after) &&
  before.last_name === after.last_name &&
  before.username === after.username;
