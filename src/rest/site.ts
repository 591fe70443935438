// What all views share.

import type { UploadLimiter } from './upload-limiter.ts';

export interface Site {
  /** Unknown members and parameters are errors, even if the request does not ask for that. */
  readonly isStrict: boolean;
  readonly files: SiteFiles;
  readonly uploadLimiter: UploadLimiter;
}

/** The URLs of the files that browsable pages load. */
export interface SiteFiles {
  readonly stylesheet: string;
  readonly favicon: string;
  /** Modules that improve pages; pages work without them. */
  readonly scripts: readonly string[];
  /** Swagger UI, which shows the OpenAPI document. */
  readonly swagger: { readonly stylesheet: string; readonly program: string; readonly start: string };
}
