// The lines of a dump: what `export` writes and `import` reads, one JSON object each. Members in this order, and
// times in UTC, so that what was imported is exported to the letter.

import { toJson } from '../../json.ts';
import { limits as contributorLimits } from '../contributors/contributor.ts';
import { formatInstant, type Instant, parseInstant } from '../instant.ts';
import { tagKey } from '../projects/filters.ts';
import { contentTypes, limits, statuses, visibilities } from '../projects/project.ts';
import { ratingRange } from '../ratings/rating.ts';
import { list, nullable, oneOf, optional, readMembers, text, trimmed, Wrong, whole } from './members.ts';

const instant = (value: unknown): Instant => {
  const found = typeof value === 'string' ? parseInstant(value, 'UTC') : undefined;
  if (found === undefined) throw new Wrong('must be a date-time between 1700 and 2199');
  return found;
};

const id = whole(1);
const count = whole(0);
const name = text({ most: contributorLimits.name, oneLine: true });

const tags = list({
  most: limits.tags,
  member: trimmed({ most: limits.tag, without: [/,/, 'a comma'] }),
  different: tagKey,
});

/** A line's members in their order. A member that is added here is asked for in every line, unless it is optional. */
const contributorMembers = {
  type: oneOf(['contributor']),
  id,
  username: text({
    least: 1,
    most: contributorLimits.username,
    like: [/^[\p{L}\p{M}\p{N}@.+_-]+$/u, 'letters, digits and @ . + - _'],
  }),
  first_name: name,
  last_name: name,
  created: instant,
};

const projectMembers = {
  type: oneOf(['project']),
  id,
  uuid: text({ least: 4, most: 40, like: [/^[A-Za-z0-9]+$/, 'letters and digits'] }),
  slug: text({ least: 1, most: 255, like: [/^[a-z0-9_-]+$/, 'lower-case letters, digits and hyphens'] }),
  title: trimmed({ most: limits.title }),
  content_type: oneOf(contentTypes),
  contributor: id,
  copied_from: nullable(id),
  visibility: oneOf(visibilities),
  status: oneOf(statuses),
  tags,
  text: text({ most: limits.text }),
  rating_count: count,
  rating_sum: count,
  karma: count,
  created: instant,
  modified: instant,
  parent: optional(id),
  link: optional(
    text({ most: limits.link, like: [/^https?:\/\/[\x21-\x7e]+$/, 'an http or https address'] }),
  ),
  trashed: optional(instant),
};

const ratingMembers = {
  type: oneOf(['rating']),
  project: id,
  contributor: id,
  value: whole(ratingRange.least, ratingRange.most),
  created: instant,
  modified: instant,
};

type Line<Members extends Record<string, (value: unknown) => unknown>> = {
  -readonly [Name in keyof Members]: ReturnType<Members[Name]>;
};
export type ContributorLine = Line<typeof contributorMembers>;
export type ProjectLine = Line<typeof projectMembers>;
export type RatingLine = Line<typeof ratingMembers>;
export type DumpLine = ContributorLine | ProjectLine | RatingLine;

const kinds = { contributor: contributorMembers, project: projectMembers, rating: ratingMembers };

/** Reads a line, or says in a sentence why it is refused. */
export function parseLine(line: string): DumpLine | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON.';
  }
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(kinds, type)) {
    return `type: must be one of ${Object.keys(kinds).join(', ')}.`;
  }
  return readMembers<DumpLine>(kinds[type as keyof typeof kinds], value as Record<string, unknown>);
}

const utc = (value: number) => formatInstant(value, 'UTC');

/** The one way to write a line. */
export function formatLine(entry: DumpLine): string {
  if (entry.type === 'rating') {
    const { type, project, contributor, value, created, modified } = entry;
    return toJson({ type, project, contributor, value, created: utc(created), modified: utc(modified) });
  }
  if (entry.type === 'contributor') {
    const { type, id, username, first_name, last_name, created } = entry;
    return toJson({ type, id, username, first_name, last_name, created: utc(created) });
  }
  const { type, id, uuid, slug, title, content_type, contributor, copied_from, visibility, status, tags } =
    entry;
  const { text, rating_count, rating_sum, karma, created, modified, parent, link, trashed } = entry;
  const figures = {
    rating_count,
    rating_sum,
    karma,
    created: utc(created),
    modified: utc(modified),
    parent,
    link,
    trashed: trashed === undefined ? undefined : utc(trashed),
  };
  return toJson({
    ...{
      type,
      id,
      uuid,
      slug,
      title,
      content_type,
      contributor,
      copied_from,
      visibility,
      status,
      tags,
      text,
    },
    ...figures,
  });
}
