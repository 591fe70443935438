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

interface Publishable extends Pick<ProjectRow, 'id' | 'publish_at'> {
  readonly status: number;
}

/** Published, or on its way. */
const isPublished = ({ status, publish_at }: Publishable): boolean =>
  isPubliclyReadable(status) || status === waiting || publish_at !== null;

/** Throws if the site requires a description that a picture of what is published now lacks. */
export async function requireDescriptions(
  { viewer, transaction }: WriteContext,
  before: Publishable | undefined,
  after: Publishable,
): Promise<void> {
  if (!viewer.mustDescribe || (before && before.status !== draft) || !isPublished(after)) return;
  const picture = (await loadProjectMedia(transaction, after.id)).find(isUndescribed);
  if (picture) throw new Invalid({ alt: [apiText('undescribed', { name: picture.name })] });
}
