// Deletes expired data; the server runs it from time to time.

import sql, { join } from 'sql-template-tag';
import { integer, nullable } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { execute, executeAlone, select } from '../database/query.ts';
import type { FileStore } from '../files/store.ts';
import { finishUpdates } from './accounts/contributor-updates.ts';
import { idleSince } from './accounts/sessions.ts';
import type { ActionOf } from './changes/kinds.ts';
import { sweepResponses } from './changes/write.ts';
import { endClasses } from './classes/ending.ts';
import { now } from './instant.ts';
import { sweepMails } from './mail/queue.ts';
import { findUsedHashes } from './media/rows.ts';
import { sweepNotifications } from './notifications/sweep.ts';
import { deleteUnusedWords } from './projects/searching/suggestion-words.ts';
import { emptyTrash } from './projects/writing/erase.ts';
import { deleteWithdrawnFiles } from './projects/writing/redact.ts';
import { thinHistories } from './projects/writing/thin-history.ts';
import { deleteOldPublicDump } from './public-dump.ts';
import { sweepEmails } from './sign-in/email.ts';
import { sweepInvitations } from './sign-in/invitation.ts';

export async function sweep(database: Database, files: FileStore): Promise<void> {
  await finishUpdates(database);
  await endClasses(database);
  await sweepAccounts(database);
  await sweepEmails(database);
  await sweepMails(database);
  await emptyTrash(database);
  await deleteWithdrawnFiles(database);
  await deleteOldPublicDump(database);
  await sweepFiles(database, files);
  await sweepResponses(database);
  await thinHistories(database);
  await sweepNotifications(database);
  await overwriteDeleted(database);
}

/** Longer than any request or import between writing bytes and committing the rows that refer to them. */
const graceMs = 24 * 3600_000;

/** Deletes bytes that no file refers to: of deleted files, and of requests or imports that failed. */
const sweepFiles = (database: Database, files: FileStore): Promise<void> =>
  files.removeUnused(Date.now() - graceMs, (names) => findUsedHashes(database, names));

const deletions: readonly ActionOf<'project'>[] = ['erased', 'redacted'];
/** The name of somebody who has left is in the search index and in the sort keys of earlier rows. */
const departure: ActionOf<'contributor'> = 'left';

const lastDeletion = select(
  { sequence: nullable(integer(sql`max(sequence)`)) },
  sql`from change
      where (kind = 'project' and action in (${join(deletions)}) or kind = 'contributor' and action = ${departure})
        and sequence > (select sequence from overwritten)`,
);

/**
 * Overwrites what deleted texts have left in the database's files. It takes long, so the sweep does it, and only after
 * something was deleted for good.
 */
async function overwriteDeleted(database: Database): Promise<void> {
  const last = await database.slowReader.first(lastDeletion);
  if (!last || last.sequence === null) return;
  await deleteUnusedWords(database);
  await database.overwriteDeleted();
  const { sequence } = last;
  await executeAlone(database)`update overwritten set sequence = ${sequence} where sequence < ${sequence}`;
}

/** Passwords are checked so slowly that an hour brings fewer rows in normal use, and not many more in an attack. */
const maxSignInAttempts = 100_000;

/**
 * Deletes expired rows, which have no effect any more. Expired keys stay, so that their owners see that they expired.
 */
export async function sweepAccounts(database: Database): Promise<void> {
  const at = now();
  await database.transaction(async (transaction) => {
    await execute(transaction)`delete from session where expires <= ${at} or last_used <= ${idleSince(at)}`;
    await sweepInvitations(transaction);
    await execute(transaction)`delete from account_link where expires <= ${at}`;
    await execute(transaction)`delete from used_challenge where until <= ${at}`;
    await execute(transaction)`delete from sign_in_attempt where until <= ${at}`;
    // Those that would expire first. A subquery with `in` is run once a row if PostgreSQL believes that the table is empty.
    await execute(transaction)`delete from sign_in_attempt where (until, subject) <= (
        select until, subject from sign_in_attempt order by until desc, subject desc
        limit 1 offset ${maxSignInAttempts})`;
  });
}
