// What every view knows of the site that it is on.

import type { UploadLimiter } from './upload-limiter.ts';

export interface Site {
  /** Nothing is to be dropped in silence, whether or not a request says so. */
  readonly isStrict: boolean;
  readonly files: SiteFiles;
  readonly uploadLimiter: UploadLimiter;
}

/** The addresses of what the browsable pages load. */
export interface SiteFiles {
  readonly stylesheet: string;
  readonly favicon: string;
  /** Modules that make pages handier, and without which they are whole. */
  readonly scripts: readonly string[];
  /** What shows the OpenAPI document. */
  readonly swagger: { readonly stylesheet: string; readonly program: string; readonly start: string };
}
