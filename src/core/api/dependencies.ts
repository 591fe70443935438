// The dependencies of the handlers of the API. The floors above add theirs.

import type { AddressRules } from '#common/address-rules.ts';
import type { Secret } from '#common/signature.ts';
import type { DownloadLimiter } from '#rest/download-limiter.ts';
import type { OpenResponses } from '#rest/open-responses.ts';
import type { Database } from '#sql';
import type { SignUpDependencies } from '../accounts/dependencies.ts';
import type { UploadDependencies } from '../dump/dependencies.ts';
import type { FileStore } from '../files/store.ts';
import type { ViewerAuthenticator } from '../viewer/authenticator.ts';

export interface ApiDependencies extends UploadDependencies {
  readonly database: Database;
  readonly files: FileStore;
  readonly accounts: SignUpDependencies;
  readonly authenticator: ViewerAuthenticator;
  readonly addressRules: AddressRules;
  readonly timeZone: string;
  readonly archiveDownloads: DownloadLimiter;
  readonly openResponses: OpenResponses;
  /** Signs the cursors. */
  readonly cursorSecret: Secret;
}
