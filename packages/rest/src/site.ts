// Settings shared by all views.

import type { ReadSettings } from '../../common/src/inputs.ts';
import type { WritingOrigins } from './cors.ts';
import type { DownloadLimiter } from './download-limiter.ts';
import type { UploadLimiter } from './upload-limiter.ts';

export interface Site {
  /** Unknown members and parameters are errors, even if the request does not ask for that. */
  readonly isStrict: boolean;
  readonly readSettings: ReadSettings;
  readonly files: SiteFiles;
  readonly uploadLimiter: UploadLimiter;
  /** For whole lists. */
  readonly downloads: DownloadLimiter;
  readonly writingOrigins: WritingOrigins;
  /** The settings that differ between hosts. */
  loadIdentity(hostname: string): Promise<SiteIdentity>;
  /** The path below which all resources are. */
  readonly root: string;
  /** The page of the whole site. */
  readonly home: Link;
  /** In the header of each page. */
  readonly links: readonly Link[];
  /** Where people sign in and out; missing if there are only keys. */
  readonly session?: Link;
}

export interface SiteIdentity {
  /** In the titles of pages. */
  readonly name: string;
  /** Attributes of the root of each page, which style sheets know. */
  readonly rootAttributes: Readonly<Record<string, string | undefined>>;
  /** The path of one with the colour of the site. */
  readonly stylesheet: string | undefined;
}

interface Link {
  readonly label: string;
  readonly href: string;
}

/** The URLs of the files that browsable pages load. */
export interface SiteFiles {
  readonly stylesheet: string;
  readonly favicon?: string;
  /** Modules that improve pages; pages work without them. */
  readonly scripts: readonly string[];
  /** Of the documentation. */
  readonly documentation: { readonly stylesheet: string; readonly script: string };
}
