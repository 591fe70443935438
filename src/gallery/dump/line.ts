// The lines of a dump, which `export` writes and `import` reads: one JSON object each. The order of the members is
// fixed and times are in UTC, so that an import followed by an export gives the same bytes.

import { toJson } from '../../json.ts';
import { keyLimits } from '../accounts/keys.ts';
import { contributorLimits, usernamePattern } from '../contributors/contributor.ts';
import { formatInstant, type Instant, parseInstant } from '../instant.ts';
import { type MediaType, mediaLimits, mediaTypes } from '../media/media.ts';
import { decisionActions, maxReasonLength } from '../moderation/decision.ts';
import { reportLimits, reportReasons } from '../moderation/report.ts';
import { contentTypes, projectLimits, visibilities } from '../projects/project.ts';
import { statuses } from '../projects/status.ts';
import { tagKey } from '../projects/tags.ts';
import { ratingRange } from '../ratings/rating.ts';
import { roles } from '../viewer.ts';
import {
  InvalidMember,
  list,
  nullable,
  objects,
  oneOf,
  optional,
  readMembers,
  text,
  trimmedText,
  wholeNumber,
} from './members.ts';

const instant = (value: unknown): Instant => {
  const parsed = typeof value === 'string' ? parseInstant(value, 'UTC') : undefined;
  if (parsed === undefined) throw new InvalidMember('must be a date-time between 1700 and 2199');
  return parsed;
};

const id = wholeNumber(1);
const count = wholeNumber(0);
const name = text({ maxLength: contributorLimits.name, oneLine: true });

const tags = list({
  maxItems: projectLimits.tags,
  member: trimmedText({ maxLength: projectLimits.tag, forbidden: [/,/, 'a comma'] }),
  uniqueBy: tagKey,
});

/** The members of a line in order. A new member is required in every line unless it is optional. */
const contributorMembers = {
  type: oneOf(['contributor']),
  id,
  username: text({
    minLength: 1,
    maxLength: contributorLimits.username,
    pattern: [usernamePattern, 'letters, digits and @ . + - _'],
  }),
  first_name: name,
  last_name: name,
  created: instant,
};

/** Hashes in our format and in Django's, with limits on what a sign-in may cost. */
const passwordHash =
  /^(\$argon2id\$v=19\$m=\d{1,6},t=\d{1,2},p=\d{1,2}\$[\w+/]{11,86}\$[\w+/]{22,86}|pbkdf2_sha256\$\d{1,7}\$[^$\s]{1,100}\$[\w+/]{43}=)$/;

const accountMembers = {
  type: oneOf(['account']),
  contributor: id,
  role: oneOf(roles),
  password: nullable(
    text({ maxLength: 500, pattern: [passwordHash, 'an argon2id or pbkdf2_sha256 hash of a password'] }),
  ),
  disabled: nullable(instant),
};

const keyMembers = {
  type: oneOf(['key']),
  id,
  contributor: id,
  name: trimmedText({ maxLength: keyLimits.name }),
  hash: text({ maxLength: 64, pattern: [/^[0-9a-f]{64}$/, 'the SHA-256 of a key in hexadecimal'] }),
  access: oneOf(['read', 'write']),
  created: instant,
  expires: nullable(instant),
  used: nullable(instant),
};

const projectMembers = {
  type: oneOf(['project']),
  id,
  uuid: text({ minLength: 4, maxLength: 40, pattern: [/^[A-Za-z0-9]+$/, 'letters and digits'] }),
  slug: text({
    minLength: 1,
    maxLength: 255,
    pattern: [/^[a-z0-9_-]+$/, 'lower-case letters, digits and hyphens'],
  }),
  title: trimmedText({ maxLength: projectLimits.title }),
  content_type: oneOf(contentTypes),
  contributor: id,
  copied_from: nullable(id),
  visibility: oneOf(visibilities),
  status: oneOf(statuses),
  tags,
  text: text({ maxLength: projectLimits.text }),
  rating_count: count,
  rating_sum: count,
  karma: count,
  created: instant,
  modified: instant,
  parent: optional(id),
  link: optional(
    text({
      maxLength: projectLimits.link,
      pattern: [/^https?:\/\/[\x21-\x7e]+$/, 'an http or https address'],
    }),
  ),
  trashed: optional(instant),
};

const ratingMembers = {
  type: oneOf(['rating']),
  project: id,
  contributor: id,
  value: wholeNumber(ratingRange.min, ratingRange.max),
  created: instant,
  modified: instant,
};

const hash = text({ maxLength: 64, pattern: [/^[0-9a-f]{64}$/, 'a SHA-256 in hexadecimal'] });
const sideLength = nullable(wholeNumber(1));

const sizeMembers = { hash, bytes: wholeNumber(1), width: sideLength, height: sideLength };

/** The largest accepted file, which is held in memory until its hash is verified. */
const maxFileBytes = 1000 * 1024 * 1024;
const maxBase64Length = 2 * 1024 * 1024;

const mediaMembers = {
  type: oneOf(['media']),
  project: id,
  number: id,
  position: wholeNumber(1, mediaLimits.files),
  media_type: oneOf(Object.keys(mediaTypes) as MediaType[]),
  name: trimmedText({ maxLength: 2 * mediaLimits.name, forbidden: [/[/\\]/, 'a slash'] }),
  alt: text({ maxLength: mediaLimits.alt }),
  sizes: objects(sizeMembers, { minItems: 1, maxItems: 10 }),
};

const bytesMembers = {
  type: oneOf(['bytes']),
  hash,
  of: wholeNumber(1, maxFileBytes),
  at: wholeNumber(0, maxFileBytes),
  base64: text({ maxLength: maxBase64Length, pattern: [/^[A-Za-z0-9+/]+={0,2}$/, 'base64'] }),
};

const decisionMembers = {
  type: oneOf(['decision']),
  id,
  moderator: nullable(id),
  action: oneOf(decisionActions),
  project: nullable(id),
  contributor: id,
  reason: text({ maxLength: maxReasonLength }),
  status: nullable(oneOf(statuses)),
  undoes: nullable(id),
  created: instant,
};

const reportMembers = {
  type: oneOf(['report']),
  id,
  project: id,
  contributor: id,
  reason: oneOf(reportReasons),
  words: text({ maxLength: reportLimits.words }),
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

const membersByType = {
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

/** Returns the parsed line, or a sentence that says why it is rejected. */
export function parseLine(line: string): DumpLine | string {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    return 'is not JSON.';
  }
  const type = (value as { type?: unknown } | null)?.type;
  if (typeof type !== 'string' || !Object.hasOwn(membersByType, type)) {
    return `type: must be one of ${Object.keys(membersByType).join(', ')}.`;
  }
  return readMembers<DumpLine>(
    membersByType[type as keyof typeof membersByType],
    value as Record<string, unknown>,
  );
}

const formatUtc = (value: number) => formatInstant(value, 'UTC');
const formatUtcOrNull = (value: number | null) => (value === null ? null : formatUtc(value));

/** The only function that writes dump lines. */
export function formatLine(entry: DumpLine): string {
  if (entry.type === 'rating') {
    const { type, project, contributor, value, created, modified } = entry;
    return toJson({
      type,
      project,
      contributor,
      value,
      created: formatUtc(created),
      modified: formatUtc(modified),
    });
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
    return toJson({ type, id, username, first_name, last_name, created: formatUtc(created) });
  }
  if (entry.type === 'account') {
    const { type, contributor, role, password, disabled } = entry;
    return toJson({ type, contributor, role, password, disabled: formatUtcOrNull(disabled) });
  }
  if (entry.type === 'key') {
    const { type, id, contributor, name, hash, access, created, expires, used } = entry;
    return toJson({
      type,
      id,
      contributor,
      name,
      hash,
      access,
      created: formatUtc(created),
      expires: formatUtcOrNull(expires),
      used: formatUtcOrNull(used),
    });
  }
  if (entry.type === 'decision') {
    const { type, id, moderator, action, project, contributor, reason, status, undoes, created } = entry;
    return toJson({
      type,
      id,
      moderator,
      action,
      project,
      contributor,
      reason,
      status,
      undoes,
      created: formatUtc(created),
    });
  }
  if (entry.type === 'report') {
    const { type, id, project, contributor, reason, words, created, modified, decision } = entry;
    return toJson({
      type,
      id,
      project,
      contributor,
      reason,
      words,
      created: formatUtc(created),
      modified: formatUtc(modified),
      decision,
    });
  }
  const { type, id, uuid, slug, title, content_type, contributor, copied_from, visibility, status, tags } =
    entry;
  const { text, rating_count, rating_sum, karma, created, modified, parent, link, trashed } = entry;
  return toJson({
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
    rating_count,
    rating_sum,
    karma,
    created: formatUtc(created),
    modified: formatUtc(modified),
    parent,
    link,
    trashed: trashed === undefined ? undefined : formatUtc(trashed),
  });
}
