// A record as the old site sends it, and the lines of a dump that it becomes.

import { z } from 'zod';
import { OperatorError } from '../../packages/common/src/errors.ts';
import { isJsonObject } from '../../packages/common/src/json.ts';
import type { ContentType } from '../../src/core/content-types.ts';
import { contributorLine } from '../../src/core/contributors/contributor-line.ts';
import { formatInstant, type Instant } from '../../src/core/instant.ts';
import { projectLine } from '../../src/projects/dump/project-line.ts';

const wholeNumber = z.int();

/** Extra members are ignored. Whether the gallery can hold the values is decided later, record by record. */
const recordSchema = z.object({
  id: wholeNumber.min(1),
  url: z.string(),
  html_url: z.string(),
  created: z.string(),
  modified: z.string(),
  title: z.string(),
  uuid: z.string(),
  slug: z.string(),
  copied_from: wholeNumber.nullable(),
  contributor_name: z.string(),
  contributor_html_url: z.string(),
  visibility: z.string(),
  tags: z.string(),
  text: z.string(),
  status: wholeNumber,
  rating_count: wholeNumber,
  rating_sum: wholeNumber,
  karma: wholeNumber,
});

export type OldRecord = z.infer<typeof recordSchema>;

export const memberNames = recordSchema.keyof().options;

const pageSchema = z.object({
  count: wholeNumber.min(0),
  next: z.string().nullable(),
  results: z.array(z.looseObject({})),
});

/** A record with a number above the largest that the gallery can hold. */
export interface TooLarge {
  readonly id: number | bigint;
  readonly tooLarge: string;
}

export interface OldPage {
  readonly count: number;
  readonly next: string | null;
  readonly results: (OldRecord | TooLarge)[];
}

/** `address` is for the message. */
export function parsePage(data: unknown, address: string): OldPage {
  const page = parse(pageSchema, data, `The listing at ${address}`);
  return { ...page, results: page.results.map((record) => parseRecord(record)) };
}

/** Numbers are exact: what JavaScript would round is a bigint. */
export function parseRecord(data: unknown): OldRecord | TooLarge {
  const members = isJsonObject(data) ? data : {};
  const { id } = members;
  const tooLarge = Object.keys(members).find((name) => typeof members[name] === 'bigint');
  if (tooLarge !== undefined && (typeof id === 'bigint' || Number.isSafeInteger(id)))
    return { id: id as number | bigint, tooLarge };
  const record = parse(recordSchema, data, `The record ${id === undefined ? 'without an id' : String(id)}`);
  const contributor = parseContributor(record);
  return Number.isSafeInteger(contributor.id) ? record : { id: record.id, tooLarge: 'contributor_html_url' };
}

function parse<Schema extends z.ZodType>(schema: Schema, data: unknown, subject: string): z.infer<Schema> {
  const result = schema.safeParse(data);
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const member = issue?.path[0];
  const isMissing = typeof data === 'object' && data !== null && member !== undefined && !(member in data);
  throw new OperatorError(
    member === undefined
      ? `${subject} is not an object.`
      : `${subject} ${isMissing ? 'has no member' : 'has an unexpected value of'} ${String(member)}.`,
  );
}

export interface OldContributor {
  readonly id: number;
  readonly username: string;
  readonly name: string;
  /** As the order of the old site's list tells it: see last-names.ts. */
  readonly lastName?: string;
}

export function parseContributor({ id, contributor_html_url, contributor_name }: OldRecord): OldContributor {
  const [, number, name = ''] =
    /\/contributors\/([1-9]\d*)-([^/]+)\/$/.exec(URL.parse(contributor_html_url)?.pathname ?? '') ?? [];
  const username = decodePath(name);
  if (number === undefined || username === undefined)
    throw new OperatorError(
      `The contributor_html_url of the record ${id} is not of the form …/contributors/<id>-<username>/.`,
    );
  return { id: Number(number), username, name: contributor_name };
}

export function decodePath(path: string): string | undefined {
  try {
    return decodeURIComponent(path);
  } catch {
    return undefined;
  }
}

function splitName(contributor: OldContributor): { first_name: string; last_name: string } {
  const { name, username, lastName: last_name = guessLastName(contributor) } = contributor;
  if (name === username && last_name === '') return { first_name: '', last_name };
  // Without the space between the two.
  return { first_name: name.slice(0, name.length - last_name.length).replace(/ $/, ''), last_name };
}

/** The last word, if there are several, with those before it that are in lower case: `van Beethoven`. */
export const guessLastName = ({ name }: OldContributor): string =>
  /(?<= )(?:(?:\p{Ll}+ )*[^\p{Ll}\s]\S*|\S+)$/u.exec(name)?.[0] ?? '';

/** As the gallery writes them, so that the text stays the same; else by every comma. */
function splitTags(tags: string): string[] {
  const exact = tags === '' ? [] : tags.split(', ');
  if (exact.every((tag) => !tag.includes(',') && tag.trim() !== '')) return exact;
  return tags
    .split(',')
    .map((tag) => tag.trim())
    .filter(Boolean);
}

/** The line of a dump, or sentences that say why the gallery cannot hold it. */
type Line = { readonly line: string } | { readonly problem: string };

export function toContributorLine(contributor: OldContributor, created: Instant): Line {
  const { id, username } = contributor;
  const line = contributorLine.parse({
    type: 'contributor',
    id,
    username,
    ...splitName(contributor),
    created: formatInstant(created, 'UTC'),
  });
  return typeof line === 'string'
    ? { problem: `The contributor ${id}: ${line}` }
    : { line: contributorLine.stringify(line) };
}

/** `trashed` is when it was found to have gone from the old site. */
export function toProjectLine(record: OldRecord, contentType: ContentType, trashed?: Instant): Line {
  const { url, html_url, contributor_name, contributor_html_url, tags, ...members } = record;
  const line = projectLine.parse({
    ...members,
    type: 'project',
    content_type: contentType,
    contributor: parseContributor(record).id,
    tags: splitTags(tags),
    ...(trashed !== undefined && { trashed: formatInstant(trashed, 'UTC') }),
  });
  return typeof line === 'string' ? { problem: line } : { line: projectLine.stringify(line) };
}
