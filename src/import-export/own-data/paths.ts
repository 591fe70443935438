// The paths of files in the ZIP of a person's own data.

import { type Media, sanitizeFileName } from '../../gallery/media/media.ts';

export const indexPath = 'index.html';
export const dataPath = 'data.ndjson';
export const avatarPath = 'files/avatar.webp';

/** With four bytes each, an extension and a number, they fit the 255 bytes of a name on every file system. */
const maxStemLength = 50;

/** The number comes first: no name is one that Windows reserves, and no two differ only in case. */
export function filePath({ project, number, name, type }: Media): string {
  const safeName = sanitizeFileName(name, type);
  const dot = safeName.lastIndexOf('.');
  const stem = [...safeName.slice(0, dot)].slice(0, maxStemLength).join('').trimEnd();
  return `files/${project}/${number}-${stem}${safeName.slice(dot)}`;
}
