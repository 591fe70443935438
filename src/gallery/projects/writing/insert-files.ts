// Stores the files of a project, for a new project and for one that gets more.

import { apiText } from '../../../common/api-text.ts';
import { Invalid } from '../../../common/errors.ts';
import { adjustFileUsage, countBytes } from '../../changes/usage.ts';
import type { WriteContext } from '../../changes/write.ts';
import { type Media, mediaLimits } from '../../media/media.ts';
import { type PreparedFile, tooManyFiles } from '../../media/prepare.ts';
import { insertMedia, loadProjectMedia } from '../../media/store.ts';
import type { ProjectRow } from '../columns.ts';

/** After the existing ones. The alternative texts are in the order of the files. */
export async function insertFiles(
  { transaction, changeSet }: WriteContext,
  project: Pick<ProjectRow, 'id' | 'content_type' | 'contributor'>,
  prepared: readonly PreparedFile[],
  alts: readonly string[],
): Promise<void> {
  // Ignores trailing empty texts, as forms send their empty fields too.
  if (alts.findLastIndex((alt) => alt !== '') >= prepared.length)
    throw new Invalid({ alt: [apiText('moreTexts')] });
  if (prepared.length === 0) return;
  if (project.content_type === 'comment') throw new Invalid({ file: [apiText('commentFile')] });
  const existing = await loadProjectMedia(transaction, project.id);
  if (existing.length + prepared.length > mediaLimits.files) throw new Invalid({ file: [tooManyFiles] });
  const lastNumber = Math.max(0, ...existing.map((media) => media.number));
  const names = new Set(existing.map(({ name }) => name.toLowerCase()));
  const media = prepared.map<Media>(({ type, name, sizes }, index) => ({
    project: project.id,
    number: lastNumber + index + 1,
    position: existing.length + index + 1,
    type,
    name: chooseName(name, names),
    alt: alts[index] ?? '',
    origin: null,
    sizes,
  }));
  await insertMedia(transaction, media);
  adjustFileUsage(changeSet, project.contributor, countBytes(media));
}

/** Texts name pictures, so that two files of a project need two names. Browsers call each pasted picture the same. */
function chooseName(name: string, names: Set<string>): string {
  const dot = name.lastIndexOf('.');
  let chosen = name;
  for (let number = 2; names.has(chosen.toLowerCase()); number++)
    chosen = `${name.slice(0, dot)}-${number}${name.slice(dot)}`;
  names.add(chosen.toLowerCase());
  return chosen;
}
