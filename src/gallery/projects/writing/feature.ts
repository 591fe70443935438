// Moderators choose what the home page begins with.

import { apiText } from '../../../common/api-text.ts';
import { Invalid } from '../../../common/errors.ts';
import type { WriteContext } from '../../changes/write.ts';
import { isListed } from '../visibility.ts';
import { saveVersion } from './change.ts';
import { lockChangeableProject } from './changeable.ts';

/** The project's `modified` stays: its text is the same. */
export async function featureProject(write: WriteContext, id: number, isFeatured: boolean): Promise<void> {
  const { changeSet, viewer } = write;
  const before = await lockChangeableProject(write, id);
  if ((before.featured !== null) === isFeatured) return;
  if (isFeatured && (!isListed(before) || before.content_type === 'comment'))
    throw new Invalid({ non_field_errors: [apiText('notFeaturable')] });
  await saveVersion(write, 'changed', before, { featured: isFeatured ? changeSet.at : null });
  const { contributor } = before;
  if (isFeatured && contributor !== viewer.contributor)
    changeSet.notify('project', id, { contributor, kind: 'featured', actor: viewer.contributor });
}
