// The database and the uploaded files contain private data: only the user who runs the server may read them.

import { chmodSync, closeSync, openSync, statSync } from 'node:fs';

export const privateFileMode = 0o600;
export const privateFolderMode = 0o700;

/** Creates an empty file, so that the program that writes it does not choose its mode. An existing file stays as it is. */
export function createPrivateFile(path: string): void {
  closeSync(openSync(path, 'a', privateFileMode));
}

/** Those of the paths that other users of this machine may read or change. */
export const findSharedPaths = (paths: readonly string[]): string[] =>
  paths.filter((path) => ((statSync(path, { throwIfNoEntry: false })?.mode ?? 0) & 0o077) !== 0);

export function makePrivate(path: string): void {
  chmodSync(path, statSync(path).isDirectory() ? privateFolderMode : privateFileMode);
}
