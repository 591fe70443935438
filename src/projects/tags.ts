// Tags as a project's row stores them: one text, in order. No tag contains a comma.

import { normalizeText } from '#common/text-rules.ts';
import type { Row } from '#sql';
import type { Project, ProjectRow } from './project.ts';
import type { tagTable } from './tables.ts';
import { isListed } from './visibility/visible-to.ts';

const separator = ', ';

export const parseTags = ({ tags }: Pick<Project, 'tags'>): string[] =>
  tags === '' ? [] : tags.split(separator);

export const formatTags = (tags: readonly string[]): string => tags.join(separator);

export type TaggedProject = Pick<
  ProjectRow,
  'id' | 'tags' | 'content_type' | 'created' | 'visibility' | 'status' | 'thread_visibility'
>;

/** The rows of the table `tag` for a project. Of imported tags, some may be the same one in another spelling. */
export function toTagRows(project: TaggedProject): Row<typeof tagTable>[] {
  const { id, content_type, created } = project;
  const listed_created = isListed(project) ? created : null;
  const rows = parseTags(project).map((tag, position) => {
    return { project: id, position, tag, tag_key: tagKey(tag), content_type, listed_created };
  });
  if (rows.length < 2) return rows;
  const keys = new Set<string>();
  return rows.filter(({ tag_key }) => keys.size < keys.add(tag_key).size);
}

/** Tags that differ only in case, Unicode normalization or surrounding spaces count as the same. */
export const tagKey = (tag: string): string => normalizeText(tag.trim(), 'NFC').toLowerCase();
