// What the handlers of the API need.

import type { AddressRules } from '#common/address-rules.ts';
import type { DownloadLimiter } from '#rest/download-limiter.ts';
import type { OpenResponses } from '#rest/open-responses.ts';
import type { Database } from '#sql/database.ts';
import type { SignUpDependencies } from '../../features/sign-in/sign-up.ts';
import type { RememberedRecords } from '../../projects/api/remembered-records.ts';
import type { ChangeSubscriptions } from '../../projects/changes/subscriptions.ts';
import type { ProjectFinder } from '../../projects/reading/find.ts';
import type { UploadDependencies } from '../dump/dependencies.ts';
import type { FileStore } from '../files/store.ts';
import type { ViewerAuthenticator } from '../viewer/authenticator.ts';

export interface ApiDependencies extends UploadDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly projects: ProjectFinder;
  readonly accounts: SignUpDependencies;
  readonly authenticator: ViewerAuthenticator;
  readonly addressRules: AddressRules;
  readonly timeZone: string;
  readonly records: RememberedRecords;
  readonly offersPublicDump: boolean;
  readonly archiveDownloads: DownloadLimiter;
  readonly openResponses: OpenResponses;
  readonly changeSubscriptions: ChangeSubscriptions;
  /** Signs the cursors. */
  readonly cursorSecret: string;
}
