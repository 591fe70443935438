// Migrates a database to the newest schema, one numbered migration after another, in one transaction. The caller
// makes the transaction exclusive: if two processes start at once, the second finds nothing to do.

import sql, { raw } from 'sql-template-tag';
import { OperatorError } from '../common/errors.ts';
import { integer, nullable } from './columns.ts';
import type { DatabaseDependencies, Reader, Rebuilds, Transaction } from './database.ts';
import { gallery } from './migrations/0001-gallery.ts';
import { search } from './migrations/0002-search.ts';
import { writing } from './migrations/0003-writing.ts';
import { files } from './migrations/0004-files.ts';
import { moderation } from './migrations/0005-moderation.ts';
import { names } from './migrations/0006-names.ts';
import { contributorCounts } from './migrations/0007-contributor-counts.ts';
import { searchBounds } from './migrations/0008-search-bounds.ts';
import { contributorUpdates } from './migrations/0009-contributor-updates.ts';
import { history } from './migrations/0010-history.ts';
import { lookAlikes } from './migrations/0011-look-alikes.ts';
import { shownNames } from './migrations/0012-shown-names.ts';
import { idempotencyBounds } from './migrations/0013-idempotency-bounds.ts';
import { nameReports } from './migrations/0014-name-reports.ts';
import { copiedFiles } from './migrations/0015-copied-files.ts';
import { passkeys } from './migrations/0016-passkeys.ts';
import { usage } from './migrations/0017-usage.ts';
import { versions } from './migrations/0018-versions.ts';
import { sessionUse } from './migrations/0019-session-use.ts';
import { secondFactor } from './migrations/0020-second-factor.ts';
import { searchMerges } from './migrations/0021-search-merges.ts';
import { shorterSearchEntries } from './migrations/0022-shorter-search-entries.ts';
import { karma } from './migrations/0023-karma.ts';
import { siteSettings } from './migrations/0024-site-settings.ts';
import { weeklyCounts } from './migrations/0025-weekly-counts.ts';
import { profiles } from './migrations/0027-profiles.ts';
import { avatars } from './migrations/0028-avatars.ts';
import { suggestionWords } from './migrations/0029-suggestion-words.ts';
import { scheduledJobs } from './migrations/0030-scheduled-jobs.ts';
import { publicDump } from './migrations/0031-public-dump.ts';
import { usernameLook } from './migrations/0032-username-look.ts';
import { copiesInOrder } from './migrations/0033-copies-in-order.ts';
import { newestMatches } from './migrations/0034-newest-matches.ts';
import { changeHashes } from './migrations/0035-change-hashes.ts';
import { changeQueue } from './migrations/0036-change-queue.ts';
import { tagsInOrder } from './migrations/0037-tags-in-order.ts';
import { earlierProjects } from './migrations/0038-earlier-projects.ts';
import { typesInSearches } from './migrations/0039-types-in-searches.ts';
import { sharedChanges } from './migrations/0040-shared-changes.ts';
import { slugsAndChangesInOrder } from './migrations/0041-slugs-and-changes-in-order.ts';
import { webhooks } from './migrations/0042-webhooks.ts';
import { mail } from './migrations/0043-mail.ts';
import { notifications } from './migrations/0044-notifications.ts';
import { notificationMails } from './migrations/0045-notification-mails.ts';
import { pendingEmails } from './migrations/0046-pending-emails.ts';
import { select } from './query.ts';
import { createReadableViews, dropReadableViews } from './readable-views.ts';

/** How the two databases differ in the statements that create tables. */
export interface Dialect {
  readonly integer: string;
  /** Text that is compared by code point. */
  readonly text: string;
  /** For people: the time in a column of microseconds. */
  readableTime(column: string): string;
  /** A primary key for rows that users create: ids rise and are never reused. */
  readonly identity: string;
  /** Creates `project_search`, which `Database.searchCondition` queries. */
  readonly searchTable: readonly string[];
  /** Statements that create the index of `project_search`, on PostgreSQL. */
  readonly searchIndex?: readonly string[];
  /** Statements that change the settings of `project_search`, on SQLite. */
  readonly searchSettings?: readonly string[];
  /** Creates the queue of changes, on PostgreSQL. */
  readonly changeQueue?: readonly string[];
  /** Creates `earlier_project`, and the triggers that fill it. */
  readonly earlierProjectTable?: readonly string[];
  /** Replaces a function of the queue, on PostgreSQL. */
  readonly sharedChanges?: readonly string[];
  /** Replaces the function that numbers changes, on PostgreSQL. */
  readonly notifications?: readonly string[];
}

export interface Migration {
  readonly name: string;
  statements(dialect: Dialect): string[];
  /** Derived data to rebuild once all migrations are done. */
  readonly rebuild?: keyof Rebuilds;
}

/** New ones go to the end, whatever the number of their file: the place in the list is what a database remembers. */
const migrations: readonly Migration[] = [
  gallery,
  search,
  writing,
  files,
  moderation,
  names,
  contributorCounts,
  searchBounds,
  contributorUpdates,
  history,
  lookAlikes,
  shownNames,
  idempotencyBounds,
  nameReports,
  copiedFiles,
  passkeys,
  usage,
  versions,
  sessionUse,
  secondFactor,
  searchMerges,
  shorterSearchEntries,
  karma,
  siteSettings,
  weeklyCounts,
  profiles,
  avatars,
  suggestionWords,
  scheduledJobs,
  publicDump,
  usernameLook,
  copiesInOrder,
  newestMatches,
  changeHashes,
  changeQueue,
  tagsInOrder,
  earlierProjects,
  typesInSearches,
  sharedChanges,
  slugsAndChangesInOrder,
  webhooks,
  mail,
  notifications,
  notificationMails,
  pendingEmails,
];

/** Rows beside those of the migrations: nobody may use the database, except for `vitrine copy`. */
export const copyMarks = { unfinished: 1_000_000, moved: 1_000_001 };

const highestNumber = select({ number: integer() }, sql`from migration order by number desc limit 1`);

/** The number of the last migration that was run; null before the first. */
const lastMigration = select(
  { number: nullable(integer(sql`max(number)`)) },
  sql`from migration where number < ${copyMarks.unfinished}`,
);

/** Whether no migration is left to run. Called before anything is locked, as a long import may hold the lock. */
export async function isCurrent(reader: Reader): Promise<boolean> {
  const highest = await reader.first(highestNumber);
  return highest?.number === migrations.length;
}

export async function migrate(
  transaction: Transaction,
  dialect: Dialect,
  { rebuilds, copying }: DatabaseDependencies,
): Promise<void> {
  await transaction.run(
    raw(
      `create table if not exists migration (number ${dialect.integer} primary key, name ${dialect.text} not null)`,
    ),
  );
  if (!copying) await requireUsable(transaction);
  const last = await transaction.first(lastMigration);
  const applied = last?.number ?? 0;
  if (applied > migrations.length) {
    throw new OperatorError(
      `The database has schema ${applied}, this version of Vitrine knows up to ${migrations.length}: start a newer version.`,
    );
  }
  if (copying === 'from' && applied < migrations.length)
    throw new OperatorError(
      applied === 0
        ? 'There is no gallery in the database that is to be copied.'
        : `The database that is to be copied has schema ${applied}, this version of Vitrine has ${migrations.length}: start the server of this version on it first.`,
    );
  if (applied === migrations.length) return;
  for (const statement of dropReadableViews) await transaction.run(raw(statement));
  for (const [index, migration] of migrations.entries()) {
    if (index < applied) continue;
    for (const statement of migration.statements(dialect)) await transaction.run(raw(statement));
    await transaction.run(sql`insert into migration (number, name) values (${index + 1}, ${migration.name})`);
  }
  for (const statement of createReadableViews(dialect.readableTime)) await transaction.run(raw(statement));
  const rebuildNames = new Set(migrations.slice(applied).map(({ rebuild }) => rebuild));
  for (const rebuild of rebuildNames) if (rebuild) await rebuilds[rebuild](transaction);
}

/** The number of migrations that were run, and of those that this version has. */
export async function countMigrations(reader: Reader): Promise<{ applied: number; known: number }> {
  await requireUsable(reader);
  return { applied: (await reader.first(lastMigration))?.number ?? 0, known: migrations.length };
}

async function requireUsable(reader: Reader): Promise<void> {
  const highest = await reader.first(highestNumber);
  if (highest?.number === copyMarks.unfinished)
    throw new OperatorError('The database is an unfinished copy: run vitrine copy again.');
  if (highest?.number === copyMarks.moved)
    throw new OperatorError(
      'The gallery has moved to another database: start the server there, or go back with vitrine copy --undo.',
    );
}
