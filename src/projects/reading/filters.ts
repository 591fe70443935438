// The filters of a listing. A new filter is a new entry here: its name in the API, how its text is parsed, its error
// messages and its condition. OpenAPI, the strict mode and the record's own URL use the same table.

import sql, { join, raw, type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { Invalid, NotSignedIn } from '#common/errors.ts';
import {
  anyText,
  choiceText,
  InvalidValue,
  notOption,
  shortText,
  splitList,
  type TextInput,
} from '#common/inputs.ts';
import { readDigits } from '#common/whole-number.ts';
import type { Lookup } from '#rest/fields.ts';
import { type Database, nullable, pick, type RowOf, text } from '#sql';
import { contentTypes, listedTypes } from '../../core/content-types.ts';
import { contributorLimits } from '../../core/contributors/contributor.ts';
import { once } from '../../core/feature.ts';
import { parseId } from '../../core/ids.ts';
import { type Instant, parseInstant } from '../../core/instant.ts';
import { licenseNames } from '../../core/licenses.ts';
import { hasStatus, isPubliclyReadable, statuses, statusNames, waiting } from '../../core/project-status.ts';
import { isAnonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { countSearchWords, maxSearchWords, parsePhrases } from '../../core/words.ts';
import { partsTable } from '../hooks.ts';
import { ownerNameColumns, projectColumns, projectLimits, visibilities } from '../project.ts';
import { projectLookup } from '../project-fields.ts';
import { parseTags, tagKey } from '../tags.ts';
import { tagLookup } from '../tags-field.ts';
import { isCollectionSql, isPublicSql, readableById } from '../visibility/visible-to.ts';

interface FilterContext {
  readonly viewer: Viewer;
  readonly database: Pick<Database, 'searchCondition'>;
}

export interface Filter<Value = unknown> extends TextInput<Value> {
  readonly description: string;
  readonly lookup?: Lookup;
  condition(value: Value, context: FilterContext): Sql;
  /** The same for a project in memory, if one row answers it and it does not depend on the viewer. */
  matches?(value: Value, project: FilteredProject): boolean;
  /** The stored counts have this column, so that rows need not be counted. */
  readonly hasStoredCounts?: boolean;
}

export const filteredColumns = once(() => ({
  ...pick(projectColumns, 'id', 'content_type', 'contributor', 'copied_from', 'tags', 'license'),
  ...pick(ownerNameColumns, 'username'),
  /** Only those that everybody sees: nobody learns of others by what a stream sends. */
  collections: nullable(
    text(sql`(select string_agg(cast(item.whole as text), ',') from ${partsTable()} as item
      join project as collection on collection.id = item.whole
      where item.part = project.id and ${isPublicSql('collection')})`),
  ),
}));
export type FilteredProject = RowOf<ReturnType<typeof filteredColumns>>;

const filter = <Value>(definition: Filter<Value>) => definition as Filter;

/** The ids of the projects in a collection. */
const itemsOf = (collection: unknown): Sql =>
  sql`select part from ${partsTable()} as item where whole = ${collection}`;

/** As many as fit a page. */
const maxIds = 100;

/** Always false: the database need not search for projects that the viewer may not list. */
const noRows = sql`1 = 0`;

const anyOf = <Value>(read: (text: string) => Value): TextInput<Value> => ({
  schema: { type: 'string' },
  read,
});

const someOf = (known: readonly string[]) =>
  anyOf((text) => {
    const requested = splitList(text);
    const unknown = requested.find((name) => !known.includes(name));
    if (unknown === undefined) return requested;
    throw new InvalidValue(notOption(unknown));
  });

const statusText = choiceText(Object.keys(statusNames), notOption);

/** A number too large for an id finds nothing. */
const idInput: TextInput<number> = {
  schema: { type: 'integer', minimum: 1 },
  read(text) {
    const digits = readDigits(text);
    if (digits !== undefined) return parseId(digits) ?? 0;
    throw new InvalidValue('Enter a number.');
  },
};

const tagList = anyOf((text) => {
  const requested = new Set(text.split(',').map(tagKey).filter(Boolean));
  if (requested.size <= projectLimits.tags) return [...requested];
  throw new InvalidValue(apiText('searchTags', { max: projectLimits.tags }));
});

const idList = anyOf((text) => {
  const texts = splitList(text);
  if (texts.length > maxIds) throw new InvalidValue(`Ask for at most ${maxIds} ids.`);
  return texts.map((text) => {
    const digits = readDigits(text);
    if (digits === undefined) throw new InvalidValue('Enter numbers.');
    return parseId(digits) ?? 0;
  });
});

const timelessFilters = {
  id__in: filter({
    description: `Only projects with these ids, separated by commas; at most ${maxIds}.`,
    ...idList,
    condition: (ids) => (ids.length === 0 ? sql`1 = 1` : sql`id in (${join(ids)})`),
  }),
  uuid: filter({
    description: 'Only the project with this uuid.',
    ...anyText,
    condition: (uuid) => sql`uuid = ${uuid}`,
  }),
  slug: filter({
    description: 'Only projects with this slug, which several may have.',
    ...anyText,
    condition: (slug) => sql`slug = ${slug}`,
  }),
  content_type: filter({
    description: 'Only projects of this content type.',
    ...choiceText(contentTypes, notOption),
    condition: (type) => (type === 'collection' ? isCollectionSql : sql`content_type = ${type}`),
    matches: (type, project) => project.content_type === type,
    hasStoredCounts: true,
  }),
  content_type__in: filter({
    description: 'Only projects of these content types, separated by commas.',
    ...someOf(contentTypes),
    condition: (types) => {
      if (types.length === 0) return sql`1 = 1`;
      const others = listedTypes.filter((type) => !types.includes(type));
      // All types but one: a planner finds nothing to look up and reads the index of the order.
      if (others.length === 1 && !types.includes('collection'))
        return sql`content_type <> ${raw(`'${others[0]}'`)}`;
      return sql`content_type in (${join(types)})`;
    },
    matches: (types, project) => types.length === 0 || types.includes(project.content_type),
    hasStoredCounts: true,
  }),
  visibility: filter({
    description: 'Only projects of this visibility, among those that the viewer may list.',
    ...choiceText(visibilities, notOption),
    condition: (visibility, { viewer }) =>
      isAnonymous(viewer) && visibility !== 'public' ? noRows : sql`visibility = ${visibility}`,
    hasStoredCounts: true,
  }),
  status: filter({
    description:
      'Only projects with this status: 0 draft, 1 published, 2 archived, 3 removed, 5 waiting for a moderator.',
    schema: { type: 'integer', enum: statuses },
    read: (text) => Number(statusText.read(text)),
    // Literal text, so that planners match the partial indexes.
    condition: (status, { viewer }) => {
      // For visitors, the status does not exist.
      if (status === waiting && isAnonymous(viewer))
        throw new Invalid({ status: [notOption(String(status))] });
      return isAnonymous(viewer) && !isPubliclyReadable(status) ? noRows : hasStatus([status]);
    },
    hasStoredCounts: true,
  }),
  contributor: filter({
    description: 'Only projects of this contributor: an id, a username, or `me`.',
    ...shortText(contributorLimits.username, 'Enter an id or a username.'),
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
    ...idInput,
    lookup: projectLookup,
    condition: (source) => sql`copied_from = ${source}`,
    matches: (source, project) => project.copied_from === source,
  }),
  collection: filter({
    description: 'Only the projects in the collection with this id, in its order.',
    ...idInput,
    condition: (collection, { viewer }) => sql`id in (${itemsOf(collection)})
      and exists (select 1 from project where id = ${collection} and ${readableById(viewer)})`,
    matches: (collection, project) => (project.collections ?? '').split(',').includes(String(collection)),
  }),
  license: filter({
    description: 'Only projects with this licence.',
    ...choiceText(licenseNames, notOption),
    condition: (license) => sql`license = ${license}`,
    matches: (license, project) => project.license === license,
  }),
  license__in: filter({
    description: 'Only projects with one of these licences, separated by commas.',
    ...someOf(licenseNames),
    condition: (licenses) => (licenses.length === 0 ? sql`1 = 1` : sql`license in (${join(licenses)})`),
    matches: (licenses, project) =>
      licenses.length === 0 || (project.license !== null && licenses.includes(project.license)),
  }),
  tags: filter({
    description: 'Only projects that have all of these tags, separated by commas; case does not matter.',
    ...tagList,
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
    ...anyOf((text) => {
      const phrases = parsePhrases(text);
      if (countSearchWords(phrases) <= maxSearchWords) return phrases;
      throw new InvalidValue(apiText('searchWords', { max: maxSearchWords }));
    }),
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

const instantInput: TextInput<Instant> = {
  schema: { format: 'date-time', type: 'string' },
  read(text, { timeZone } = { timeZone: 'UTC' }) {
    // A plus sign that was not percent-encoded arrives as a space.
    const parsed = parseInstant(text.replace(/ (\d\d:?\d\d)$/, '+$1'), timeZone);
    if (parsed === undefined) throw new InvalidValue(apiText('notDate'));
    return parsed;
  },
};

function createInstantFilters(): Record<string, Filter> {
  const entries = (['created', 'modified'] as const).flatMap((field) =>
    Object.entries(comparisons).map(([suffix, { operator, words }]) => [
      `${field}__${suffix}`,
      filter({
        description: `Only projects ${field} ${words} this ISO 8601 date or date-time.`,
        ...instantInput,
        condition: (instant) => sql`${raw(field)} ${operator} ${instant}`,
      }),
    ]),
  );
  return Object.fromEntries(entries);
}

export const projectFilters: Readonly<Record<string, Filter>> = {
  ...timelessFilters,
  ...createInstantFilters(),
};
