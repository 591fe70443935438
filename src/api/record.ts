// The record: a project as the API shows it. One table says what each member is called, what it holds and where
// it comes from; the answers, `fields`, `include` and the OpenAPI document read it. A new member goes into
// `included`: the eighteen are the interface's promise, in its order.

import { z } from 'zod';
import type { Reads } from '../database/open.ts';
import { type Field, type Fields, readOnly } from '../fields.ts';
import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
import { mediaOf } from '../gallery/media/find.ts';
import type { Media } from '../gallery/media/media.ts';
import { contentTypes, type Project, statuses, visibilities } from '../gallery/projects/project.ts';
import type { Given, Parameters } from '../rest/resource.ts';
import { mediaSchema, shownMedia } from './media.ts';

interface Place {
  readonly base: string;
  readonly zone: string;
}

/** A project with what is looked up for it when it is asked for. */
type Shown = Project & { readonly media?: readonly Media[] };

interface Member {
  readonly schema: z.ZodType;
  read(project: Shown, place: Place): unknown;
}

const count = z.int().min(0);
const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);
const moment = z.string().regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{6}[+-]\d\d:\d\d$/);

const promised = {
  id: { schema: id.describe('Identifier of the project, as in its address.'), read: (project) => project.id },
  url: {
    schema: z.url().describe('The API’s address of this record.'),
    read: ({ id }, { base }) => `${base}/api/v1/projects/${id}/?format=api`,
  },
  html_url: {
    schema: z.url().describe('The public page of the project.'),
    read: (project, { base }) => `${base}${projectPath(project)}`,
  },
  created: {
    schema: moment.describe('When it was made, to the microsecond.'),
    read: ({ created }, { zone }) => formatInstant(created, zone),
  },
  modified: {
    schema: moment.describe('When it was last changed, to the microsecond.'),
    read: ({ modified }, { zone }) => formatInstant(modified, zone),
  },
  title: { schema: z.string().min(1).max(200), read: ({ title }) => title },
  uuid: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9]{4,40}$/)
      .describe('The short identifier in html_url.'),
    read: ({ uuid }) => uuid,
  },
  slug: {
    schema: z.string().describe('Made from the title; the end of html_url.'),
    read: ({ slug }) => slug,
  },
  copied_from: {
    schema: id.nullable().describe('The project that this one was copied from; null when it is no copy.'),
    read: ({ copied_from }) => copied_from,
  },
  contributor_name: { schema: z.string().describe('The contributor’s display name.'), read: displayName },
  contributor_html_url: {
    schema: z.url().describe('The contributor’s page.'),
    read: ({ contributor, username }, { base }) =>
      `${base}${contributorPath(contributor, username)}?format=api`,
  },
  visibility: { schema: z.enum(visibilities), read: ({ visibility }) => visibility },
  tags: {
    schema: z.string().describe('The tags in order, joined by a comma and a space.'),
    read: ({ tags }) => tags,
  },
  text: { schema: z.string().describe('Markdown.'), read: ({ text }) => text },
  status: {
    schema: z.literal(statuses).describe('0 draft, 1 published, 2 archived, 3 removed.'),
    read: ({ status }) => status,
  },
  rating_count: { schema: count, read: ({ rating_count }) => rating_count },
  rating_sum: { schema: count, read: ({ rating_sum }) => rating_sum },
  karma: { schema: count, read: ({ karma }) => karma },
} satisfies Record<string, Member>;

const included = {
  content_type: { schema: z.enum(contentTypes), read: ({ content_type }) => content_type },
  contributor: {
    schema: z.object({ id, username: z.string(), name: z.string(), html_url: z.url() }),
    read: (project, { base }) => ({
      id: project.contributor,
      username: project.username,
      name: displayName(project),
      html_url: `${base}${contributorPath(project.contributor, project.username)}`,
    }),
  },
  parent: { schema: id.nullable().describe('What a comment speaks of.'), read: ({ parent }) => parent },
  media: {
    schema: z.array(mediaSchema),
    read: ({ media = [] }, { base }) => media.map((one) => shownMedia(one, base)),
  },
  link: { schema: z.url().nullable().describe('Where a link or a video leads.'), read: ({ link }) => link },
} satisfies Record<string, Member>;

const members: Record<string, Member> = { ...promised, ...included };

const shapeOf = (table: Record<string, Member>) =>
  Object.fromEntries(Object.entries(table).map(([name, { schema }]) => [name, schema]));

export const recordSchema = z
  .object({ ...shapeOf(promised), ...z.object(shapeOf(included)).partial().shape })
  .meta({
    id: 'Project',
    description: 'A project. The members after `karma` are there when `include` names them.',
  });

export const partialRecordSchema = recordSchema
  .partial()
  .meta({ id: 'ProjectFields', description: 'The members of a project that `fields` names.' });

/** One of the two, as the request has it. */
export const recordAnswer = z
  .union([recordSchema, partialRecordSchema])
  .meta({ id: 'ProjectAnswer', description: 'A project, or those of its members that `fields` names.' });

/** What may be written, beside all that is read of a record: OPTIONS tells of both. */
export function asFields<Writable extends Fields>(writable: Writable): Writable {
  const fields: Record<string, Field> = {};
  for (const [name, { schema }] of Object.entries(members)) {
    const { $schema, ...described } = z.toJSONSchema(schema);
    const label = `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
    fields[name] = writable[name] ?? readOnly(label, described);
  }
  return fields as Writable;
}

const namesOf = (table: Record<string, Member>) =>
  z.string().transform((text, context) => {
    const names = [
      ...new Set(
        text
          .split(',')
          .map((name) => name.trim())
          .filter(Boolean),
      ),
    ];
    const unknown = names.filter((name) => !Object.hasOwn(table, name));
    if (unknown.length === 0) return names;
    context.addIssue({
      code: 'custom',
      message: `Unknown: ${unknown.join(', ')}. Known are: ${Object.keys(table).join(', ')}.`,
    });
    return z.NEVER;
  });

export const recordParameters: Parameters = {
  include: {
    description: `Members to add to each record, parted by commas: ${Object.keys(included).join(', ')}.`,
    schema: namesOf(included),
  },
  fields: { description: 'Keeps only the members named, parted by commas.', schema: namesOf(members) },
};

type RenderRecords = (projects: readonly Project[]) => Promise<Record<string, unknown>[]>;

export function recordRenderer(given: ReadonlyMap<string, Given>, place: Place, reads: Reads): RenderRecords {
  const fields = given.get('fields')?.value as string[] | undefined;
  const include = (given.get('include')?.value ?? []) as string[];
  const shown = Object.keys(members).filter((name) =>
    fields ? fields.includes(name) : Object.hasOwn(promised, name) || include.includes(name),
  );
  const render = (project: Shown) => {
    const record: Record<string, unknown> = {};
    for (const name of shown) record[name] = members[name]?.read(project, place);
    return record;
  };
  return async (projects) => {
    if (!shown.includes('media')) return projects.map(render);
    const ids = projects.map(({ id }) => id);
    const media = await mediaOf(reads, ids);
    return projects.map((project) => render({ ...project, media: media.get(project.id) }));
  };
}
