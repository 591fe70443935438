import {
  count,
  defineLine,
  id,
  instant,
  type LineOf,
  nullable,
  oneOf,
  optional,
  text,
  unless,
  wholeNumber,
} from '../../core/dump/line-format.ts';
import { licenseNames } from '../../core/licenses.ts';
import { archived, inTrash, toStatus } from '../../core/project-status.ts';
import { slugPattern, uuidRules } from '../address.ts';
import { importedLimits, type ProjectRow, sourceMakers } from '../project.ts';
import { aspectOf } from '../project-fields.ts';
import { parseTags } from '../tags.ts';

/** Lines began with a fixed order: new members come last. */
const {
  title,
  content_type,
  visibility,
  status,
  tags,
  text: markdown,
  parent,
  link,
  history,
  ...newer
} = aspectOf('line');

export const projectLine = defineLine('project', {
  id,
  uuid: text(uuidRules),
  slug: text({
    minLength: 1,
    maxLength: importedLimits.slug,
    pattern: [slugPattern, 'lower-case letters, digits and hyphens'],
  }),
  title,
  content_type,
  contributor: id,
  copied_from: nullable(id),
  visibility,
  status,
  tags,
  text: markdown,
  rating_count: count,
  rating_sum: count,
  karma: count,
  created: instant,
  modified: instant,
  parent,
  link,
  trashed: optional(instant),
  history,
  removed_files: unless(wholeNumber(1), 0),
  trashed_by: optional(id),
  never_listed: unless(wholeNumber(1), 0),
  ...newer,
  answer: optional(id),
  featured: optional(instant),
  source_license: optional(oneOf(licenseNames)),
  made_for: optional(id),
  source_maker: optional(oneOf(sourceMakers)),
  ends_set: optional(instant),
  asked_status: optional(oneOf([archived] as const)),
});

export type ProjectLine = LineOf<typeof projectLine>;

export function formatProjectLine(row: ProjectRow): string {
  return projectLine.stringify({
    ...row,
    status: toStatus(row),
    tags: parseTags(row),
    trashed: row.status === inTrash ? row.trashed : null,
    trashed_by: row.status === inTrash ? row.trashed_by : null,
  });
}
