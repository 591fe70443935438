// Serializes projects. One table defines the members of a project's JSON: responses, `fields`, `include` and the OpenAPI
// document all use it. The default members and their order are fixed, as clients depend on them: add new members to
// `optionalMembers`.

import { z } from 'zod';
import { InvalidValue, splitList, type TextInput } from '#common/inputs.ts';
import { type Field, type Fields, readOnlyField } from '#rest/fields.ts';
import type { Parameters, Query } from '#rest/resource.ts';
import type { Phrase, Reader } from '#sql';
import { formatOptionalInstant, idSchema, timestampSchema } from '../../core/api/schemas.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { mediaLimits, mediaPath, mediaTypes, type Size } from '../../core/files/stored-files.ts';
import { formatInstant } from '../../core/instant.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { focuses } from '../media/focus.ts';
import type { Media } from '../media/media.ts';
import { loadMedia } from '../media/media-rows.ts';
import type { Project } from '../project.ts';
import { type WrittenName, writtenMembers, writtenNames } from '../project-fields.ts';
import { findExcerpt } from '../searching/excerpt.ts';
import { projectExample } from './examples.ts';

const pixels = z.int().min(1).nullable().describe('In pixels; null if the file is no picture.');
const sizeSchema = z
  .object({ url: z.url(), bytes: z.int().min(0), width: pixels, height: pixels })
  .meta({ id: 'MediaSize', description: 'A size of a picture, or any other file.' });

export const mediaSchema = z
  .object({
    number: z.int().min(1).describe('The file’s number in its URL.'),
    api_url: z.url().describe('The API’s URL of this file.'),
    position: z.int().min(1).max(mediaLimits.files),
    type: z.enum(Object.keys(mediaTypes)),
    name: z.string().describe('The name for downloads.'),
    alt: z.string().describe('The alternative text of a picture.'),
    focus: z.enum(focuses).describe('The part of a picture that covers in lists show.'),
    ...sizeSchema.shape,
    sizes: z
      .array(sizeSchema)
      .describe('All sizes of a picture, smallest first. The last one is the file itself.'),
  })
  .meta({ id: 'Media', description: 'A file of a project.' });

export function serializeMedia(media: Media, origin: string): z.input<typeof mediaSchema> {
  const { project, number, position, type, name, alt, focus } = media;
  const serializeSize = ({ bytes, width, height, ...stored }: Size) => {
    return { url: `${origin}${mediaPath(type, stored)}`, bytes, width, height };
  };
  const sizes = media.sizes.map(serializeSize);
  const original = sizes.at(-1);
  if (!original) throw new Error(`there is no stored size of file ${number} of project ${project}`);
  const api_url = `${origin}/api/v1/projects/${project}/media/${number}/`;
  return { number, api_url, position, type, name, alt, focus, ...original, sizes };
}

interface SerializeOptions {
  readonly origin: string;
  readonly timeZone: string;
  /** Those of the request’s search. */
  readonly phrases?: readonly Phrase[];
}

/** `media` is loaded only if the member is requested. */
type ProjectWithMedia = Project & { readonly media?: readonly Media[] };

interface Member {
  readonly schema: z.ZodType;
  serialize(project: ProjectWithMedia, options: SerializeOptions): unknown;
}

const count = z.int().min(0);

const written = Object.fromEntries(
  writtenNames.map((name): [WrittenName, Member] => [
    name,
    { schema: writtenMembers[name].schema, serialize: (project) => project[name] },
  ]),
) as Readonly<Record<WrittenName, Member>>;
/** The place of these is fixed: new members come last. */
const {
  title,
  visibility,
  tags,
  text,
  status,
  content_type,
  parent,
  link,
  history,
  publish_at: _,
  ...newer
} = written;

/** Times are stored as numbers. */
const timeMember = (name: 'publish_at' | 'due' | 'ends'): Member => ({
  ...written[name],
  serialize: (project, { timeZone }) => formatOptionalInstant(project[name], timeZone),
});

const defaultMembers = {
  id: {
    schema: idSchema.describe('The id of the project, as in its URL.'),
    serialize: (project) => project.id,
  },
  url: {
    schema: z.url().describe('The API’s URL of this project.'),
    serialize: ({ id }, { origin }) => `${origin}/api/v1/projects/${id}/?format=api`,
  },
  html_url: {
    schema: z.url().describe('The public page of the project.'),
    serialize: (project, { origin }) => `${origin}${projectPath(project)}`,
  },
  created: {
    schema: timestampSchema.describe('When it was created, to the microsecond.'),
    serialize: ({ created }, { timeZone }) => formatInstant(created, timeZone),
  },
  modified: {
    schema: timestampSchema.describe('When it was last changed, to the microsecond.'),
    serialize: ({ modified }, { timeZone }) => formatInstant(modified, timeZone),
  },
  title,
  uuid: {
    schema: z
      .string()
      .regex(/^[A-Za-z0-9]{4,40}$/)
      .describe('The short identifier in html_url.'),
    serialize: ({ uuid }) => uuid,
  },
  slug: {
    schema: z.string().describe('Derived from the title; the last part of html_url.'),
    serialize: ({ slug }) => slug,
  },
  copied_from: {
    schema: idSchema.nullable().describe('The project that this one was copied from; null if it is no copy.'),
    serialize: ({ copied_from }) => copied_from,
  },
  contributor_name: {
    schema: z.string().describe('The contributor’s display name.'),
    serialize: displayName,
  },
  contributor_html_url: {
    schema: z.url().describe('The contributor’s page.'),
    serialize: ({ contributor, username }, { origin }) =>
      `${origin}${contributorPath(contributor, username)}?format=api`,
  },
  visibility,
  tags,
  text,
  status,
  rating_count: { schema: count, serialize: ({ rating_count }) => rating_count },
  rating_sum: { schema: count, serialize: ({ rating_sum }) => rating_sum },
  karma: { schema: count, serialize: ({ karma }) => karma },
} satisfies Record<string, Member>;

const optionalMembers = {
  content_type,
  contributor: {
    schema: z.object({ id: idSchema, username: z.string(), name: z.string(), html_url: z.url() }),
    serialize: (project, { origin }) => ({
      id: project.contributor,
      username: project.username,
      name: displayName(project),
      html_url: `${origin}${contributorPath(project.contributor, project.username)}`,
    }),
  },
  parent,
  media: {
    schema: z.array(mediaSchema),
    serialize: ({ media = [] }, { origin }) => media.map((file) => serializeMedia(file, origin)),
  },
  link,
  history,
  publish_at: timeMember('publish_at'),
  ...newer,
  source_license: {
    schema: newer.license.schema.describe('Of a copy: the licence that its source had then.'),
    serialize: ({ source_license }) => source_license,
  },
  due: timeMember('due'),
  ends: timeMember('ends'),
} satisfies Record<string, Member>;

const recordMembers: Record<string, Member> = { ...defaultMembers, ...optionalMembers };

/** About a request that searches, and not of the project itself. */
const searchMembers: Record<string, Member> = {
  excerpt: {
    schema: z
      .array(z.object({ text: z.string(), found: z.boolean().describe('Words of the search.') }))
      .describe('The words around what `search` has found in the text, without Markdown; empty if nothing.'),
    serialize: ({ text }, { phrases = [] }) => findExcerpt(text, phrases),
  },
};

const allMembers: Record<string, Member> = { ...recordMembers, ...searchMembers };

const toShape = (members: Record<string, Member>) =>
  Object.fromEntries(Object.entries(members).map(([name, { schema }]) => [name, schema]));

export const projectSchema = z
  .object({
    ...toShape(defaultMembers),
    ...z.object(toShape({ ...optionalMembers, ...searchMembers })).partial().shape,
  })
  .meta({
    id: 'Project',
    description:
      'A project. The members after `karma` are present if `include` names them. If the request has `fields`, only the members that it names are present.',
    examples: [projectExample],
  });

/** Adds the other members of a project as read-only fields, for OPTIONS. */
export function withReadOnlyFields<Writable extends Fields>(writable: Writable): Writable {
  const fields: Record<string, Field> = {};
  for (const [name, { schema }] of Object.entries(recordMembers)) {
    const { $schema, ...described } = z.toJSONSchema(schema);
    const label = `${name[0]?.toUpperCase()}${name.slice(1).replaceAll('_', ' ')}`;
    fields[name] = readOnlyField(label, described);
  }
  return { ...fields, ...writable };
}

const memberList = (members: Record<string, Member>): TextInput<string[]> => ({
  schema: { type: 'string' },
  read(text) {
    const names = splitList(text);
    const known = { ...members, ...searchMembers };
    const unknown = names.filter((name) => !Object.hasOwn(known, name));
    if (unknown.length === 0) return names;
    throw new InvalidValue(`Unknown: ${unknown.join(', ')}. Known are: ${Object.keys(members).join(', ')}.`);
  },
});

export const memberParameters = {
  include: {
    description: `Members to add to each project, separated by commas: ${Object.keys(optionalMembers).join(', ')}; with \`search\` also excerpt.`,
    ...memberList(optionalMembers),
  },
  fields: {
    description: 'Only these members, separated by commas: the others of a project are missing.',
    ...memberList(recordMembers),
  },
  omit: {
    description: 'Not these members, separated by commas.',
    ...memberList(recordMembers),
  },
} satisfies Parameters;

type SerializeProjects = (projects: readonly Project[]) => Promise<Record<string, unknown>[]>;

const defaultNames = Object.keys(defaultMembers);

/** Whether the members are those that a request without a choice gets. */
export const hasDefaultMembers = ({ fields, include, omit }: Query<typeof memberParameters>): boolean =>
  !fields && !include && !omit;

/** The members of each project in a response. */
export function memberNames(parameters: Query<typeof memberParameters>): string[] {
  if (hasDefaultMembers(parameters)) return defaultNames;
  const { fields, include = [], omit = [] } = parameters;
  const chosen = Object.keys(allMembers).filter((name) =>
    fields ? fields.includes(name) : defaultNames.includes(name) || include.includes(name),
  );
  return chosen.filter((name) => !omit.includes(name));
}

export function createProjectSerializer(
  parameters: Query<typeof memberParameters>,
  options: SerializeOptions,
  reader: Reader,
): SerializeProjects {
  const names = memberNames(parameters);
  const serialize = (project: ProjectWithMedia) => {
    const record: Record<string, unknown> = {};
    for (const name of names) record[name] = allMembers[name]?.serialize(project, options);
    return record;
  };
  return async (projects) => {
    if (!names.includes('media')) return projects.map(serialize);
    const ids = projects.map(({ id }) => id);
    const media = await loadMedia(reader, ids);
    return projects.map((project) => serialize({ ...project, media: media.get(project.id) }));
  };
}
