// What the handlers of the API need.

import type { ViewerAuthenticator } from '../authenticator.ts';
import type { Database } from '../database/database.ts';
import type { FileStore } from '../files/store.ts';
import type { ChangeSubscriptions } from '../gallery/change-stream/subscriptions.ts';
import type { HandInArchive } from '../gallery/hand-ins/hand-in.ts';
import type { ProjectFinder } from '../gallery/projects/reading/find.ts';
import type { SignUpDependencies } from '../gallery/sign-in/sign-up.ts';
import type { Viewer } from '../gallery/viewer.ts';
import type { AddressRules } from '../gallery/webhooks/address-rules.ts';
import type { ImportDependencies } from '../import-export/own-data/import.ts';
import type { DownloadLimiter } from '../rest/download-limiter.ts';
import type { OpenResponses } from '../rest/open-responses.ts';
import type { RememberedRecords } from './remembered-records.ts';

export interface ApiDependencies extends ImportDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly projects: ProjectFinder;
  readonly accounts: SignUpDependencies;
  readonly authenticator: ViewerAuthenticator;
  readonly webhookRules: AddressRules;
  readonly timeZone: string;
  readonly records: RememberedRecords;
  readonly offersPublicDump: boolean;
  readonly ownDataDownloads: DownloadLimiter;
  readonly openResponses: OpenResponses;
  readonly changeSubscriptions: ChangeSubscriptions;
  /** The ZIP with everything of the viewer; the headers have the language of its page. */
  generateOwnArchive(viewer: Viewer, headers: Headers, origin: string): AsyncGenerator<Uint8Array>;
  /** The ZIP of what a class has handed in. */
  generateHandInArchive(archive: HandInArchive): AsyncGenerator<Uint8Array>;
  /** Signs the cursors. */
  readonly cursorSecret: string;
}
