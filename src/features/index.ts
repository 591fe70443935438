// The capabilities of the gallery, one line each. The order is that of their parts on pages and in writes.

import { addApiTexts } from '#common/api-text.ts';
import { useFeatures } from '../core/feature.ts';
import { projects } from '../projects/feature.ts';
import { backup } from './backup/feature.ts';
import { bookmarks } from './bookmarks/feature.ts';
import { changeFeed } from './change-feed/feature.ts';
import { classes } from './classes/feature.ts';
import { collections } from './collections/feature.ts';
import { courses } from './courses/feature.ts';
import { demo } from './demo/feature.ts';
import { embedding } from './embedding/feature.ts';
import { exportImport } from './export-import/feature.ts';
import { featured } from './featured/feature.ts';
import { feeds } from './feeds/feature.ts';
import { follows } from './follows/feature.ts';
import { handIns } from './hand-ins/feature.ts';
import { history } from './history/feature.ts';
import { keptChanges } from './kept-changes/feature.ts';
import { lineage } from './lineage/feature.ts';
import { linkedAccounts } from './linked-accounts/feature.ts';
import { mail } from './mail/feature.ts';
import { mentions } from './mentions/feature.ts';
import { moderation } from './moderation/feature.ts';
import { nats } from './nats/feature.ts';
import { notifications } from './notifications/feature.ts';
import { offline } from './offline/feature.ts';
import { ownAccount } from './own-account/feature.ts';
import { ownData } from './own-data/feature.ts';
import { previews } from './previews/feature.ts';
import { profiles } from './profiles/feature.ts';
import { publicDump } from './public-dump/feature.ts';
import { publishLater } from './publish-later/feature.ts';
import { review } from './review/feature.ts';
import { searchEngine } from './search-engine/feature.ts';
import { setup } from './setup/feature.ts';
import { sharedCaches } from './shared-caches/feature.ts';
import { signIn } from './sign-in/feature.ts';
import { siteAdmin } from './site-admin/feature.ts';
import { staticSite } from './static-site/feature.ts';
import { statistics } from './statistics/feature.ts';
import { tableImport } from './table-import/feature.ts';
import { topics } from './topics/feature.ts';
import { wall } from './wall/feature.ts';
import { webhooks } from './webhooks/feature.ts';

export const features = useFeatures([
  projects,
  signIn,
  linkedAccounts,
  ownAccount,
  moderation,
  review,
  profiles,
  changeFeed,
  webhooks,
  ownData,
  statistics,
  siteAdmin,
  setup,
  notifications,
  collections,
  bookmarks,
  keptChanges,
  classes,
  courses,
  handIns,
  wall,
  featured,
  mentions,
  follows,
  topics,
  history,
  lineage,
  previews,
  embedding,
  exportImport,
  backup,
  tableImport,
  feeds,
  publicDump,
  staticSite,
  nats,
  searchEngine,
  sharedCaches,
  publishLater,
  offline,
  demo,
  mail,
]);

for (const { texts } of features) if (texts) addApiTexts(texts.en);
