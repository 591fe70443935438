// Moderators choose what the home page begins with.

import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { all, type Reader } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { type Project, shownColumns } from '../../projects/project.ts';
import { isListed, isListedSql } from '../../projects/visibility/visible-to.ts';
import { saveVersion } from '../../projects/writing/change-project.ts';
import { lockChangeableProject } from '../../projects/writing/changeable.ts';

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

/** Those that were featured last, without hidden ones. */
export const listFeatured = (reader: Reader, limit: number): Promise<Project[]> =>
  all(reader, shownColumns)`from project
    where featured is not null and ${isListedSql} order by featured desc, id desc limit ${limit}`;
