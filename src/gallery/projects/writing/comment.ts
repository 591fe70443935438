// Creates comments.

import sql from 'sql-template-tag';
import { apiText } from '../../../common/api-text.ts';
import { Invalid } from '../../../common/errors.ts';
import { exists } from '../../../database/query.ts';
import type { WriteContext } from '../../changes/write.ts';
import { authorize } from '../../permissions.ts';
import type { ProjectValues } from '../fields.ts';
import type { Project } from '../project.ts';
import { titleFromText } from '../slug.ts';
import { findThread } from '../thread-visibility.ts';
import { type ProjectAddress, readableBy } from '../visibility.ts';
import { lockReadableProject } from './changeable.ts';
import { createInThread, lockThread } from './create.ts';

/** A comment on a project, or a reply to one of its comments. Without a title, it is taken from the text. */
export async function createComment(
  write: WriteContext,
  address: ProjectAddress,
  read: () => ProjectValues,
): Promise<Project> {
  const target = await lockReadableProject(write, address);
  authorize(write.viewer, 'comment', target.contributor);
  const thread = findThread(target);
  const { content_type = 'comment', ...values } = read();
  if (content_type !== 'comment') throw new Invalid({ content_type: ['This is the place for comments.'] });
  const parent = values.parent ?? target.id;
  // A comment that the viewer may not read gets the sentence of one that never was.
  const isOpen = readableBy(write.viewer);
  const sameThread = sql`from project where id = ${parent} and root = ${thread.root} and ${isOpen}`;
  if (parent !== target.id && !(await exists(write.transaction, sameThread)))
    throw new Invalid({ parent: [apiText('otherThread')] });
  const title = values.title ?? titleFromText(values.text ?? '');
  return createInThread(write, { ...values, content_type, parent, title }, () =>
    parent === target.id ? thread : lockThread(write, parent, isOpen),
  );
}
