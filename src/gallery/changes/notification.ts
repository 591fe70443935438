// A notification tells somebody of a change that concerns them. The database writes it together with the change in the
// change log, and it has the number of the change.

import type { RowOf } from '../../database/columns.ts';
import { notificationTable } from '../../database/schema.ts';
import type { NotificationKind } from './kinds.ts';

export const notificationColumns = {
  ...notificationTable.columns,
  kind: notificationTable.columns.kind.narrow<NotificationKind>(),
};

/** The subject is the comment, the copy, the rated project or the decision. */
export type Notification = RowOf<typeof notificationColumns>;

/** The number that is kept for each person, and for how long. */
export const maxNotifications = 1000;
export const notificationDays = 90;
