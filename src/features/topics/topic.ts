// The sentence and the picture that moderators give a tag.

import sql, { type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { execute, first, type Reader, type RowOf } from '#sql';
import type { WriteContext } from '../../core/changes/write.ts';
import { recordDecision } from '../../core/decisions/decision.ts';
import { authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { type Project, shownColumns } from '../../projects/project.ts';
import { tagKey } from '../../projects/tags.ts';
import { isListedSql } from '../../projects/visibility/visible-to.ts';
import { topicTable } from './tables.ts';

export const topicLimits = { text: 300, picture: 300 } as const;

type Topic = RowOf<typeof topicTable.columns>;

export const findTopic = (reader: Reader, tag: string): Promise<Topic | undefined> =>
  first(reader, topicTable.columns)`from topic where tag_key = ${tagKey(tag)}`;

/** In a query for projects: listings of visitors have it, with the tag and a picture. */
const canStandFor = (tag: string): Sql => sql`${isListedSql} and content_type <> 'comment'
  and exists (select 1 from tag where tag.project = project.id and tag.tag_key = ${tagKey(tag)})
  and exists (select 1 from media where media.project = project.id and media.type = 'image/webp')`;

export const findPicture = async (
  reader: Reader,
  { tag_key, picture }: Topic,
): Promise<Project | undefined> =>
  picture === null
    ? undefined
    : first(reader, shownColumns)`from project where id = ${picture} and ${canStandFor(tag_key)}`;

interface TopicValues {
  readonly text: string;
  /** The address of a project, or its slug; empty for none. */
  readonly picture: string;
}

/** Without a sentence and a picture, nothing is said about the tag. */
export async function saveTopic(write: WriteContext, tag: string, values: TopicValues): Promise<void> {
  const { transaction, changeSet, viewer } = write;
  authorizeAny(viewer, 'describeTag');
  const text = values.text.trim();
  const picture = await findPictureBySlug(transaction, tag, toSlug(values.picture));
  const before = await findTopic(transaction, tag);
  if (text === (before?.text ?? '') && picture === (before?.picture ?? null)) return;
  const tag_key = tagKey(tag);
  if (text === '' && picture === null)
    await execute(transaction)`delete from topic where tag_key = ${tag_key}`;
  else await transaction.upsert(topicTable, [{ tag_key, text, picture }]);
  changeSet.add({ kind: 'topic', action: 'changed', subject: 0 });
  const moderator = requireSignedIn(viewer);
  const reason = text === '' ? tag : `${tag}: ${text}`;
  await recordDecision(write, { moderator, action: 'described_tag', contributor: moderator, reason });
}

/** The last part of an address is a slug too. */
const toSlug = (address: string): string =>
  (address.trim().split(/[?#]/)[0] ?? '').split('/').findLast((part) => part !== '') ?? '';

const idColumn = { id: shownColumns.id };

async function findPictureBySlug(reader: Reader, tag: string, slug: string): Promise<number | null> {
  if (slug === '') return null;
  const project = await first(reader, idColumn)`from project
    where slug = ${slug} and ${canStandFor(tag)} order by created desc, id desc limit 1`;
  if (!project) throw new Invalid({ picture: [apiText('topicPicture')] });
  return project.id;
}
