// Descriptions of pictures, which a site can require before anything is published.

import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { describeMediaType } from '../../core/files/stored-files.ts';
import { draft, isPubliclyReadable, waiting } from '../../core/project-status.ts';
import type { Media } from '../media/media.ts';
import { loadProjectMedia } from '../media/media-rows.ts';
import type { ProjectRow } from '../project.ts';

export const isUndescribed = ({ type, alt }: Media): boolean =>
  alt.trim() === '' && describeMediaType(type).display === 'picture';

interface Publishable extends Pick<ProjectRow, 'id' | 'publish_at' | 'visibility'> {
  readonly status: number;
}

/** Published, or on its way. */
const isPublished = ({ status, publish_at }: Publishable): boolean =>
  isPubliclyReadable(status) || status === waiting || publish_at !== null;

/** It was for its maker alone, as a copy is at first; or the files of what waits are others now. */
const isOpened = (before: Publishable, after: Publishable, filesChanged: boolean): boolean =>
  before.status === draft ||
  (before.visibility === 'private' && after.visibility !== 'private') ||
  (before.status === waiting && filesChanged);

/** Throws if the site requires a description that a picture of what is published now lacks. What is open already stays open. */
export async function requireDescriptions(
  { viewer, transaction }: WriteContext,
  before: Publishable | undefined,
  after: Publishable,
  filesChanged = false,
): Promise<void> {
  if (!viewer.mustDescribe || (before && !isOpened(before, after, filesChanged)) || !isPublished(after))
    return;
  const picture = (await loadProjectMedia(transaction, after.id)).find(isUndescribed);
  if (picture) throw new Invalid({ alt: [apiText('undescribed', { name: picture.name })] });
}
