// All migrations, in order. A new one goes to the end, with the declarations of the tables changed alike. No release had the
// schemas that are missing.

import type { Migration } from '#sql/open';
import { accountLinks } from './account-links.ts';
import { askedStatus } from './asked-status.ts';
import { audiences } from './audiences.ts';
import { changeArchive } from './change-archive.ts';
import { collections } from './collections.ts';
import { indexOfDeletions } from './deletions.ts';
import { focus } from './focus.ts';
import { following } from './following.ts';
import { fromFirstRelease } from './from-0.1.0.ts';
import { jobs } from './jobs.ts';
import { karmaOfComments } from './karma-of-comments.ts';
import { licenses } from './licenses.ts';
import { linkedAccounts } from './linked-accounts.ts';
import { review } from './review.ts';
import { secretOfImports } from './secret-of-imports.ts';
import { indexOfVersions } from './versions.ts';

export const migrations: readonly Migration[] = [
  fromFirstRelease,
  accountLinks,
  review,
  karmaOfComments,
  following,
  collections,
  indexOfVersions,
  jobs,
  changeArchive,
  indexOfDeletions,
  licenses,
  linkedAccounts,
  audiences,
  askedStatus,
  secretOfImports,
  focus,
];
