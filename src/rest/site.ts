// Settings shared by all views.

import type { UploadLimiter } from './upload-limiter.ts';

export interface Site {
  /** Unknown members and parameters are errors, even if the request does not ask for that. */
  readonly isStrict: boolean;
  readonly files: SiteFiles;
  readonly uploadLimiter: UploadLimiter;
  /** The name of the API, in the titles of pages. */
  readonly name: string;
  /** The path below which all resources are. */
  readonly root: string;
  /** The page of the whole site. */
  readonly home: Link;
  /** In the header of each page. */
  readonly links: readonly Link[];
}

interface Link {
  readonly label: string;
  readonly href: string;
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
