// Deletes expired data; the server runs it from time to time.

import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import { finishUpdates } from './accounts/contributor-updates.ts';
import { sweepAccounts } from './accounts/sweep.ts';
import { sweepResponses } from './changes/idempotency.ts';
import { sweepMails } from './mail/queue.ts';
import { sweepFiles } from './media/sweep.ts';
import { sweepNotifications } from './notifications/sweep.ts';
import { overwriteDeleted } from './overwrite-deleted.ts';
import { emptyTrash } from './projects/writing/erase.ts';
import { thinHistories } from './projects/writing/thin-history.ts';
import { deleteWithdrawnFiles } from './projects/writing/withdrawn-files.ts';
import { deleteOldPublicDump } from './public-dump.ts';
import { sweepEmails } from './sign-in/email.ts';

export async function sweep(database: Database, files: FileStore): Promise<void> {
  await finishUpdates(database);
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
