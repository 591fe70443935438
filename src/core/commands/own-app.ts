// The gallery's own server within a command, which asks it as its clients do.

import type { Database } from '#sql';
import type { FileStore } from '../files/store.ts';
import type { AppSettings } from '../settings/settings.ts';

export interface OwnApp {
  fetch(request: Request): Response | Promise<Response>;
}

/** Its requests come from `ownAddress`. */
export type OpenOwnApp = (
  gallery: { readonly database: Database; readonly files: FileStore },
  settings: AppSettings,
) => Promise<OwnApp>;

export const ownAddress = '127.0.0.1';
