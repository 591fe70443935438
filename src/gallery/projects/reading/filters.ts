// The filters of a listing. A new filter is a new entry here: its name in the API, how its text is parsed, its error
// messages and its condition. OpenAPI, the strict mode and the record's own URL use the same table.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { z } from 'zod';
import { type ApiText, apiText } from '../../../common/api-text.ts';
import { NotSignedIn } from '../../../common/errors.ts';
import type { Lookup } from '../../../common/fields.ts';
import { pick, type RowOf } from '../../../database/columns.ts';
import type { Database } from '../../../database/database.ts';
import { contentTypes } from '../../content-types.ts';
import { contributorLimits } from '../../contributors/contributor.ts';
import { parseId } from '../../ids.ts';
import { parseInstant } from '../../instant.ts';
import { hasStatus, isPubliclyReadable, statuses, statusNames } from '../../project-status.ts';
import { isAnonymous, type Viewer } from '../../viewer.ts';
import { countSearchWords, maxSearchWords, parsePhrases } from '../../words.ts';
import { ownerNameColumns, projectColumns } from '../columns.ts';
import { projectLookup, tagLookup } from '../lookups.ts';
import { projectLimits, visibilities } from '../project.ts';
import { parseTags, tagKey } from '../tags.ts';

interface FilterContext {
  readonly viewer: Viewer;
  readonly database: Pick<Database, 'searchCondition'>;
}

export interface Filter<Value = unknown> {
  readonly description: string;
  readonly schema: z.ZodType<Value, string>;
  readonly lookup?: Lookup;
  condition(value: Value, context: FilterContext): Sql;
  /** The same for a project in memory, if one row answers it and it does not depend on the viewer. */
  matches?(value: Value, project: FilteredProject): boolean;
  /** The stored counts have this column, so that rows need not be counted. */
  readonly hasStoredCounts?: boolean;
}

export const filteredColumns = {
  ...pick(projectColumns, 'id', 'content_type', 'contributor', 'copied_from', 'tags'),
  ...pick(ownerNameColumns, 'username'),
};
export type FilteredProject = RowOf<typeof filteredColumns>;

/** The text of a problem with its code: see rest/parameters.ts. */
const toIssue = (text: ApiText) => ({ code: 'custom', message: String(text), params: { text } }) as const;

const filter = <Value>(definition: Filter<Value>) => definition as Filter;

/** As many as fit a page. */
const maxIds = 100;

/** Always false: the database need not search for projects that the viewer may not list. */
const noRows = sql`1 = 0`;

const invalidChoice = (value: string) => toIssue(apiText('notOption', { value }));

function choiceSchema<const Choice extends string>(choices: readonly Choice[]) {
  return z
    .string()
    .transform((text, context): Choice => {
      const found = choices.find((choice) => choice === text);
      if (found === undefined) context.addIssue(invalidChoice(text));
      return found ?? z.NEVER;
    })
    .meta({ enum: choices });
}

const contentTypeList = z.string().transform((text, context) => {
  const requested = text
    .split(',')
    .map((type) => type.trim())
    .filter(Boolean);
  const unknown = requested.find((type) => !contentTypes.some((known) => known === type));
  if (unknown === undefined) return [...new Set(requested)];
  context.addIssue(invalidChoice(unknown));
  return z.NEVER;
});

const idSchema = z
  .string()
  .regex(/^\d{1,40}$/, 'Enter a number.')
  .transform((text) => parseId(text) ?? 0)
  .meta({ type: 'integer', minimum: 1 });

const tagList = z.string().transform((text, context) => {
  const requested = new Set(text.split(',').map(tagKey).filter(Boolean));
  if (requested.size <= projectLimits.tags) return [...requested];
  context.addIssue(toIssue(apiText('searchTags', { max: projectLimits.tags })));
  return z.NEVER;
});

const idList = z.string().transform((text, context) => {
  const texts = [...new Set(text.split(',').map((id) => id.trim()))].filter(Boolean);
  const ids = texts.slice(0, maxIds).flatMap((id) => idSchema.safeParse(id).data ?? []);
  if (ids.length === texts.length) return ids;
  const message = texts.length > maxIds ? `Ask for at most ${maxIds} ids.` : 'Enter numbers.';
  context.addIssue({ code: 'custom', message });
  return z.NEVER;
});

const timelessFilters = {
  id__in: filter({
    description: `Only projects with these ids, separated by commas; at most ${maxIds}.`,
    schema: idList,
    condition: (ids) => (ids.length === 0 ? sql`1 = 1` : sql`id in (${join(ids)})`),
  }),
  uuid: filter({
    description: 'Only the project with this uuid.',
    schema: z.string(),
    condition: (uuid) => sql`uuid = ${uuid}`,
  }),
  slug: filter({
    description: 'Only projects with this slug, which several may have.',
    schema: z.string(),
    condition: (slug) => sql`slug = ${slug}`,
  }),
  content_type: filter({
    description: 'Only projects of this content type.',
    schema: choiceSchema(contentTypes),
    condition: (type) => sql`content_type = ${type}`,
    matches: (type, project) => project.content_type === type,
    hasStoredCounts: true,
  }),
  content_type__in: filter({
    description: 'Only projects of these content types, separated by commas.',
    schema: contentTypeList,
    condition: (types) => {
      if (types.length === 0) return sql`1 = 1`;
      const others = contentTypes.filter((type) => !types.includes(type));
      // All types but one: a planner finds nothing to look up and reads the index of the order.
      if (others.length === 1) return sql`content_type <> ${raw(`'${others[0]}'`)}`;
      return sql`content_type in (${join(types)})`;
    },
    matches: (types, project) => types.length === 0 || types.includes(project.content_type),
    hasStoredCounts: true,
  }),
  visibility: filter({
    description: 'Only projects of this visibility, among those that the viewer may list.',
    schema: choiceSchema(visibilities),
    condition: (visibility, { viewer }) =>
      isAnonymous(viewer) && visibility !== 'public' ? noRows : sql`visibility = ${visibility}`,
    hasStoredCounts: true,
  }),
  status: filter({
    description: 'Only projects with this status: 0 draft, 1 published, 2 archived, 3 removed.',
    schema: choiceSchema(Object.keys(statusNames))
      .transform(Number)
      .meta({ type: 'integer', enum: statuses }),
    // Literal text, so that planners match the partial indexes.
    condition: (status, { viewer }) =>
      isAnonymous(viewer) && !isPubliclyReadable(status) ? noRows : hasStatus([status]),
    hasStoredCounts: true,
  }),
  contributor: filter({
    description: 'Only projects of this contributor: an id, a username, or `me`.',
    schema: z.string().max(contributorLimits.username, 'Enter an id or a username.'),
    condition: (contributor, { viewer }) => {
      if (contributor === 'me') {
        if (viewer.contributor === null) throw new NotSignedIn();
        return sql`contributor = ${viewer.contributor}`;
      }
      const id = parseId(contributor);
      return id !== undefined
        ? sql`contributor = ${id}`
        : sql`contributor = (select id from contributor where username = ${contributor})`;
    },
    matches: (contributor, project) => [String(project.contributor), project.username].includes(contributor),
  }),
  copied_from: filter({
    description: 'Only copies of the project with this id.',
    schema: idSchema,
    lookup: projectLookup,
    condition: (source) => sql`copied_from = ${source}`,
    matches: (source, project) => project.copied_from === source,
  }),
  tags: filter({
    description: 'Only projects that have all of these tags, separated by commas; case does not matter.',
    schema: tagList,
    lookup: tagLookup,
    condition: (keys) =>
      keys.length === 0
        ? sql`1 = 1`
        : join(
            keys.map((key) => sql`id in (select project from tag where tag_key = ${key})`),
            ' and ',
          ),
    matches: (keys, project) => {
      const own = new Set(parseTags(project).map(tagKey));
      return keys.every((key) => own.has(key));
    },
  }),
  search: filter({
    description:
      'Only projects with all of these words and "quoted phrases" in title, text, tags or contributor’s name, best first; the last word may be unfinished.',
    schema: z
      .string()
      .transform(parsePhrases)
      .refine(
        (phrases) => countSearchWords(phrases) <= maxSearchWords,
        toIssue(apiText('searchWords', { max: maxSearchWords })),
      ),
    condition: (phrases, { database }) =>
      phrases.length === 0 ? noRows : database.searchCondition(phrases, 'all'),
  }),
};

const comparisons = {
  gt: { operator: sql`>`, words: 'after' },
  gte: { operator: sql`>=`, words: 'at or after' },
  lt: { operator: sql`<`, words: 'before' },
  lte: { operator: sql`<=`, words: 'at or before' },
};

/** Instants without an offset are in the time zone. */
function createInstantFilters(timeZone: string): Record<string, Filter> {
  const schema = z
    .string()
    .transform((text, context) => {
      // A plus sign that was not percent-encoded arrives as a space.
      const instant = parseInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1'), timeZone);
      if (instant !== undefined) return instant;
      context.addIssue(toIssue(apiText('notDate')));
      return z.NEVER;
    })
    .meta({ format: 'date-time' });
  const entries = (['created', 'modified'] as const).flatMap((field) =>
    Object.entries(comparisons).map(([suffix, { operator, words }]) => [
      `${field}__${suffix}`,
      filter({
        description: `Only projects ${field} ${words} this ISO 8601 date or date-time.`,
        schema,
        condition: (instant) => sql`${raw(field)} ${operator} ${instant}`,
      }),
    ]),
  );
  return Object.fromEntries(entries);
}

export function projectFilters(timeZone: string): Record<string, Filter> {
  return { ...timelessFilters, ...createInstantFilters(timeZone) };
}
