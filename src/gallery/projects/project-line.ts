import { defineLine, type LineOf } from '../line-format.ts';
import { count, id, instant, list, nullable, oneOf, optional, text, wholeNumber } from '../line-members.ts';
import type { ProjectRow } from './columns.ts';
import { contentTypes, importedLimits, linkPattern, projectLimits, visibilities } from './project.ts';
import { slugPattern } from './slug.ts';
import { inTrash, statuses, toStatus } from './status.ts';
import { parseTags } from './tags.ts';
import { uuidRules } from './uuid.ts';

/** The record joins tags by commas: one with a comma would be several. */
const tag = text({
  maxLength: importedLimits.tag,
  pattern: [/\S/, 'more than spaces'],
  forbidden: [/,/, 'a comma'],
});

export const projectLine = defineLine('project', {
  id,
  uuid: text(uuidRules),
  slug: text({
    minLength: 1,
    maxLength: importedLimits.slug,
    pattern: [slugPattern, 'lower-case letters, digits and hyphens'],
  }),
  title: text({ maxLength: importedLimits.title }),
  content_type: oneOf(contentTypes),
  contributor: id,
  copied_from: nullable(id),
  visibility: oneOf(visibilities),
  status: oneOf(statuses),
  tags: list({ maxItems: importedLimits.tags, member: tag }),
  text: text({ maxLength: importedLimits.text }),
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
