import { defineLine, type LineOf } from '../line-format.ts';
import {
  count,
  id,
  instant,
  list,
  nullable,
  oneOf,
  optional,
  text,
  trimmedText,
  wholeNumber,
} from '../line-members.ts';
import type { ProjectRow } from './columns.ts';
import { contentTypes, linkPattern, projectLimits, visibilities } from './project.ts';
import { slugPattern } from './slug.ts';
import { inTrash, statuses, toStatus } from './status.ts';
import { parseTags, tagKey } from './tags.ts';
import { uuidRules } from './uuid.ts';

const tag = trimmedText({ maxLength: projectLimits.tag, forbidden: [/,/, 'a comma'] });

export const projectLine = defineLine('project', {
  id,
  uuid: text(uuidRules),
  slug: text({
    minLength: 1,
    maxLength: projectLimits.importedSlug,
    pattern: [slugPattern, 'lower-case letters, digits and hyphens'],
  }),
  title: trimmedText({ maxLength: projectLimits.title }),
  content_type: oneOf(contentTypes),
  contributor: id,
  copied_from: nullable(id),
  visibility: oneOf(visibilities),
  status: oneOf(statuses),
  tags: list({ maxItems: projectLimits.tags, member: tag, uniqueBy: tagKey }),
  text: text({ maxLength: projectLimits.text }),
  rating_count: count,
  rating_sum: count,
  karma: count,
  created: instant,
  modified: instant,
  parent: optional(id),
  link: optional(text({ maxLength: projectLimits.link, pattern: [linkPattern, 'an http or https address'] })),
  trashed: optional(instant),
  history: optional(oneOf(['public'])),
  removed_files: optional(wholeNumber(1)),
  trashed_by: optional(id),
});

export type ProjectLine = LineOf<typeof projectLine>;

export function formatProjectLine(row: ProjectRow): string {
  return projectLine.stringify({
    ...row,
    status: toStatus(row),
    tags: parseTags(row),
    trashed: row.status === inTrash ? row.trashed : null,
    history: row.history === 'public' ? 'public' : null,
    removed_files: row.removed_files || null,
    trashed_by: row.status === inTrash ? row.trashed_by : null,
  });
}
