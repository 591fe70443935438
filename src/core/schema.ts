// The tables of the gallery, and all that the database has to know of them.

import type { Schema } from '#sql/open';
import { allTables, listFeatureTables } from './all-tables.ts';
import { notificationTable } from './changes/tables.ts';
import { migrations } from './migrations/index.ts';
import { newest } from './migrations/newest.ts';
import { createReadableViews, dropReadableViews } from './views-for-people.ts';

export const schema: Schema = {
  program: 'Vitrine',
  content: 'gallery',
  tables: allTables,
  addedTables: listFeatureTables,
  newest,
  migrations,
  views: { create: createReadableViews, drop: dropReadableViews },
  notifications: {
    table: notificationTable,
    isWanted: (contributor, kind) =>
      `exists (select 1 from account where account.contributor = ${contributor}) and not exists (
        select 1 from notification_setting as setting
        where setting.contributor = ${contributor} and setting.muted like '%' || ${kind} || '%')`,
  },
};
