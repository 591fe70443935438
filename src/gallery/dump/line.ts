// The lines of a dump: what `export` writes and `import` reads, one JSON object each. Members in this order, and
// times in UTC, so that what was imported is exported to the letter.

import { toJson } from '../../json.ts';
import { keyLimits } from '../accounts/keys.ts';
import { limits as contributorLimits, usernamePattern } from '../contributors/contributor.ts';
import { formatInstant, type Instant, parseInstant } from '../instant.ts';
import { type MediaType, limits as mediaLimits, mediaTypes } from '../media/media.ts';
import { actions, reasonLength } from '../moderation/decision.ts';
import { reasons, limits as reportLimits } from '../moderation/report.ts';
import { tagKey } from '../projects/filters.ts';
import { contentTypes, limits, statuses, visibilities } from '../projects/project.ts';
import { ratingRange } from '../ratings/rating.ts';
import { roles } from '../viewer.ts';
import {
  list,
  nullable,
  objects,
  oneOf,
  optional,
  readMembers,
  text,
  trimmed,
  Wrong,
  whole,
} from './members.ts';

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
    like: [usernamePattern, 'letters, digits and @ . + - _'],
  }),
  first_name: name,
  last_name: name,
  created: instant,
};

/** Passwords as we keep them, and as Django does; with the bounds of what a sign-in may cost. */
const passwordHash =
  /^(\$argon2id\$v=19\$m=\d{1,6},t=\d{1,2},p=\d{1,2}\$[\w+/]{11,86}\$[\w+/]{22,86}|pbkdf2_sha256\$\d{1,7}\$[^$\s]{1,100}\$[\w+/]{43}=)$/;

const accountMembers = {
  type: oneOf(['account']),
  contributor: id,
  role: oneOf(roles),
  password: nullable(
    text({ most: 500, like: [passwordHash, 'an argon2id or pbkdf2_sha256 hash of a password'] }),
  ),
  disabled: nullable(instant),
};

const keyMembers = {
  type: oneOf(['key']),
  id,
  contributor: id,
  name: trimmed({ most: keyLimits.name }),
  hash: text({ most: 64, like: [/^[0-9a-f]{64}$/, 'the SHA-256 of a key in hexadecimal'] }),
  access: oneOf(['read', 'write']),
  created: instant,
  expires: nullable(instant),
  used: nullable(instant),
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

const hash = text({ most: 64, like: [/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal'] });
const side = nullable(whole(1));

const sizeMembers = { hash, bytes: whole(1), width: side, height: side };

/** The largest that a file may be: it is held in memory until its hash is known. */
const mostBytes = 1000 * 1024 * 1024;
const mostInLine = 2 * 1024 * 1024;

const mediaMembers = {
  type: oneOf(['media']),
  project: id,
  number: id,
  position: whole(1, mediaLimits.files),
  media_type: oneOf(Object.keys(mediaTypes) as MediaType[]),
  name: trimmed({ most: 2 * mediaLimits.name, without: [/[/\\]/, 'a slash'] }),
  alt: text({ most: mediaLimits.alt }),
  sizes: objects(sizeMembers, { least: 1, most: 10 }),
};

const bytesMembers = {
  type: oneOf(['bytes']),
  hash,
  of: whole(1, mostBytes),
  at: whole(0, mostBytes),
  base64: text({ most: mostInLine, like: [/^[A-Za-z0-9+/]+={0,2}$/, 'base64'] }),
};

const decisionMembers = {
  type: oneOf(['decision']),
  id,
  moderator: nullable(id),
  action: oneOf(actions),
  project: nullable(id),
  contributor: id,
  reason: text({ most: reasonLength }),
  status: nullable(oneOf(statuses)),
  undoes: nullable(id),
  created: instant,
};

const reportMembers = {
  type: oneOf(['report']),
  id,
  project: id,
  contributor: id,
  reason: oneOf(reasons),
  words: text({ most: reportLimits.words }),
  created: instant,
  modified: instant,
  decision: nullable(id),
};

type Line<Members extends Record<string, (value: unknown) => unknown>> = {
  -readonly [Name in keyof Members]: ReturnType<Members[Name]>;
};
export type ContributorLine = Line<typeof contributorMembers>;
export type AccountLine = Line<typeof accountMembers>;
export type KeyLine = Line<typeof keyMembers>;
export type ProjectLine = Line<typeof projectMembers>;
export type RatingLine = Line<typeof ratingMembers>;
export type MediaLine = Line<typeof mediaMembers>;
export type BytesLine = Line<typeof bytesMembers>;
export type DecisionLine = Line<typeof decisionMembers>;
export type ReportLine = Line<typeof reportMembers>;
export type DumpLine =
  | (ContributorLine | AccountLine | KeyLine | ProjectLine)
  | (MediaLine | BytesLine | RatingLine | DecisionLine | ReportLine);

const kinds = {
  contributor: contributorMembers,
  account: accountMembers,
  key: keyMembers,
  project: projectMembers,
  media: mediaMembers,
  bytes: bytesMembers,
  rating: ratingMembers,
  decision: decisionMembers,
  report: reportMembers,
};

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
const utcOrNull = (value: number | null) => (value === null ? null : utc(value));

/** The one way to write a line. */
export function formatLine(entry: DumpLine): string {
  if (entry.type === 'rating') {
    const { type, project, contributor, value, created, modified } = entry;
    return toJson({ type, project, contributor, value, created: utc(created), modified: utc(modified) });
  }
  if (entry.type === 'media') {
    const { type, project, number, position, media_type, name, alt } = entry;
    const sizes = entry.sizes.map(({ hash, bytes, width, height }) => ({ hash, bytes, width, height }));
    return toJson({ type, project, number, position, media_type, name, alt, sizes });
  }
  if (entry.type === 'bytes') {
    const { type, hash, of, at, base64 } = entry;
    return toJson({ type, hash, of, at, base64 });
  }
  if (entry.type === 'contributor') {
    const { type, id, username, first_name, last_name, created } = entry;
    return toJson({ type, id, username, first_name, last_name, created: utc(created) });
  }
  if (entry.type === 'account') {
    const { type, contributor, role, password, disabled } = entry;
    return toJson({ type, contributor, role, password, disabled: utcOrNull(disabled) });
  }
  if (entry.type === 'key') {
    const { type, id, contributor, name, hash, access, created, expires, used } = entry;
    const moments = { created: utc(created), expires: utcOrNull(expires), used: utcOrNull(used) };
    return toJson({ type, id, contributor, name, hash, access, ...moments });
  }
  if (entry.type === 'decision') {
    const { type, id, moderator, action, project, contributor, reason, status, undoes, created } = entry;
    const what = { type, id, moderator, action, project, contributor, reason, status, undoes };
    return toJson({ ...what, created: utc(created) });
  }
  if (entry.type === 'report') {
    const { type, id, project, contributor, reason, words, created, modified, decision } = entry;
    const said = { type, id, project, contributor, reason, words };
    return toJson({ ...said, created: utc(created), modified: utc(modified), decision });
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
