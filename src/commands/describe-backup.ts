import type { Manifest } from '../import-export/backup/manifest.ts';
import { plural } from './command.ts';

export function describeContent({ lines, file_count, change }: Manifest): string {
  const { contributor = 0, project = 0 } = lines;
  return [
    plural(contributor, 'contributor'),
    plural(project, 'project'),
    `${plural(file_count, 'file')}, up to change ${change}`,
  ].join(', ');
}

/** A sentence for each file that the gallery itself had lost. */
export const describeMissing = ({ missing }: Manifest): string[] =>
  missing.map(
    ({ hash }) =>
      `The file ${hash} was missing in the gallery, and is missing in this backup. See vitrine check.`,
  );
