// The accepted answer to a question: one of the comments on it.

import sql from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { first, pick } from '#sql';
import { hasManyUnread } from '../../core/changes/many-unread.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { projectColumns } from '../project.ts';
import { readableById } from '../visibility/visible-to.ts';
import { recordForeignChange, saveVersion } from './change-project.ts';
import { lockChangeableProject } from './changeable.ts';

const commentColumns = pick(projectColumns, 'contributor');

/** Null takes the acceptance back. The question's `modified` stays: its text is the same. */
export async function acceptAnswer(
  write: WriteContext,
  question: number,
  answer: number | null,
): Promise<void> {
  const { transaction, changeSet, viewer } = write;
  const before = await lockChangeableProject(write, question);
  const isAnswer = sql`id = ${answer} and parent = ${question} and content_type = 'comment'`;
  const comment =
    answer === null || before.content_type !== 'question'
      ? undefined
      : await first(transaction, commentColumns)`from project where ${isAnswer} and ${readableById(viewer)}`;
  if (answer !== null && !comment) throw new Invalid({ comment: [apiText('notAnswer')] });
  if (answer === before.answer) return;
  await saveVersion(write, 'changed', before, { answer });
  await recordForeignChange(write, 'changed', before, 'answer');
  const actor = requireSignedIn(viewer);
  if (comment && !(await hasManyUnread(transaction, comment.contributor, actor)))
    changeSet.notify('project', question, { contributor: comment.contributor, kind: 'accepted', actor });
}
