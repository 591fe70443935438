// The members of a project that a contributor writes. Bodies, forms, responses, OpenAPI, dump lines and the functions in
// writing/ follow from this table.

import { z } from 'zod';
import { apiText } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import {
  choiceField,
  type Field,
  type Fields,
  type Lookup,
  type PartialValues,
  textField,
} from '#rest/fields.ts';
import { contentTypes } from '../core/content-types.ts';
import { id, list, type Member, oneOf, optional, text, unless } from '../core/dump/line-format.ts';
import { parseId } from '../core/ids.ts';
import { published, statuses, waiting, writtenStatusNames } from '../core/project-status.ts';
import { collectionMembers } from './collection-members.ts';
import { licenseMember } from './licenses/member.ts';
import {
  histories,
  importedLimits,
  linkPattern,
  type ProjectRow,
  projectLimits,
  visibilities,
} from './project.ts';
import { formatTags, parseTags } from './tags.ts';
import { createTagsField } from './tags-field.ts';
import { publishTimeMember } from './time-members.ts';

/** Where forms look up projects by their text. */
export const projectLookup: Lookup = {
  url: '/api/v1/projects/?fields=id,title&page_size=10',
  valueMember: 'id',
  labelMember: 'title',
};

const toChoices = <const Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<Value, Value>;

const linkTextField = textField({
  label: apiText('link'),
  help: 'For links and videos: an http or https address.',
  maxLength: projectLimits.link,
  allowsBlank: true,
  isSingleLine: true,
  format: 'uri',
  pattern: [linkPattern, apiText('notUrl')],
});

const linkField: Field<string | null> = {
  ...linkTextField,
  schema: { ...linkTextField.schema, type: ['string', 'null'] },
  read: (value) => (value === null ? null : linkTextField.read(value) || null),
};

const parentField: Field<number | null> = {
  label: 'Parent',
  help: 'For comments: the id of the project or comment that it replies to.',
  lookup: projectLookup,
  schema: { type: ['integer', 'null'], minimum: 1 },
  read(value) {
    if (value === null || value === '') return null;
    const id = typeof value === 'number' || typeof value === 'string' ? parseId(String(value)) : undefined;
    if (id === undefined) throw new InvalidValue('Incorrect type. Expected the id of a project.');
    return id;
  },
};

/** A tag of an old site. The record joins tags by commas: one with a comma would be several. */
const importedTag = text({
  maxLength: importedLimits.tag,
  pattern: [/\S/, 'more than spaces'],
  forbidden: [/,/, 'a comma'],
});

/**
 * A member that clients write, everywhere: its column has the same name. `line` is its member of a dump line, which takes
 * what an old site allowed, and must be optional in new members.
 */
interface WrittenMember {
  /** In bodies, forms, OPTIONS and the OpenAPI document. */
  readonly field: Field;
  /** In responses. */
  readonly schema: z.ZodType;
  readonly line: Member;
  /** The column of a project that is made without the member, and of one that was deleted for good. */
  readonly initial: string | number | null;
  /** A copy has it too. */
  readonly isCopied: boolean;
}

/** Members that clients write; in the order in which a body is checked. */
export const writtenMembers = {
  title: {
    field: textField({
      label: apiText('title'),
      required: true,
      maxLength: projectLimits.title,
      isSingleLine: true,
    }),
    schema: z.string(),
    line: text({ maxLength: importedLimits.title }),
    initial: '',
    isCopied: true,
  },
  text: {
    field: textField({
      label: apiText('text'),
      help: 'Markdown.',
      maxLength: projectLimits.text,
      allowsBlank: true,
    }),
    schema: z.string().describe('Markdown.'),
    line: text({ maxLength: importedLimits.text }),
    initial: '',
    isCopied: true,
  },
  tags: {
    field: createTagsField(projectLimits.tags),
    schema: z.string().describe('The tags in order, joined by a comma and a space.'),
    line: list({ maxItems: importedLimits.tags, member: importedTag }),
    initial: '',
    isCopied: true,
  },
  visibility: {
    field: choiceField('Visibility', toChoices(visibilities), {
      help: 'public: listed; unlisted: for anyone with the address; private: for you and moderators; class: for your class too.',
    }),
    schema: z.enum(visibilities),
    line: oneOf(visibilities),
    initial: 'public',
    isCopied: false,
  },
  status: {
    // What was read can be sent back, also 5.
    field: {
      ...choiceField('Status', writtenStatusNames, {
        help: '0 draft, 1 published, 2 archived; 3 removed, by moderators only.',
      }),
      schema: { type: 'integer', enum: statuses },
    },
    schema: z
      .literal(statuses)
      .describe('0 draft, 1 published, 2 archived, 3 removed, 5 waiting for a moderator.'),
    line: oneOf(statuses),
    initial: published,
    isCopied: false,
  },
  content_type: {
    field: choiceField('Content type', toChoices(contentTypes)),
    schema: z.enum(contentTypes),
    line: oneOf(contentTypes),
    initial: 'text',
    isCopied: true,
  },
  link: {
    field: linkField,
    schema: z.url().nullable().describe('The URL of a link or a video.'),
    line: optional(
      text({ maxLength: projectLimits.link, pattern: [linkPattern, 'an http or https address'] }),
    ),
    initial: null,
    isCopied: true,
  },
  history: {
    field: choiceField('History', toChoices(histories), {
      help: 'private: only you and moderators see earlier versions; public: everybody who sees the project.',
    }),
    schema: z
      .enum(histories)
      .describe('Whether only you and moderators see earlier versions, or everybody who sees the project.'),
    line: unless(oneOf(['public']), 'private'),
    initial: 'private',
    isCopied: false,
  },
  parent: {
    field: parentField,
    schema: z
      .int()
      .min(1)
      .max(Number.MAX_SAFE_INTEGER)
      .nullable()
      .describe('The project or comment that a comment is about.'),
    line: optional(id),
    initial: null,
    isCopied: false,
  },
  publish_at: publishTimeMember,
  ...collectionMembers,
  license: licenseMember,
} as const satisfies Readonly<Record<string, WrittenMember>>;

type WrittenMembers = typeof writtenMembers;
export type WrittenName = keyof WrittenMembers;
export const writtenNames = Object.keys(writtenMembers) as WrittenName[];

/** One aspect of all written members. */
export function aspectOf<Aspect extends keyof WrittenMember>(aspect: Aspect) {
  return Object.fromEntries(writtenNames.map((name) => [name, writtenMembers[name][aspect]])) as {
    readonly [Name in WrittenName]: WrittenMembers[Name][Aspect];
  };
}

export const projectFields = aspectOf('field');

export type ProjectValues = PartialValues<typeof projectFields>;

/** The title of a comment is optional: it may be taken from the text. */
export const commentFields = {
  ...projectFields,
  title: { ...projectFields.title, required: false },
  text: textField({
    label: apiText('text'),
    help: 'Markdown.',
    required: true,
    maxLength: projectLimits.text,
  }),
} satisfies Fields;

// The columns of a project that clients write.

type WrittenColumns = Pick<ProjectRow, WrittenName>;

/** Of a project that is made without any values. */
export const initialColumns: Readonly<WrittenColumns> = aspectOf('initial');

export const toColumns = ({ tags, ...values }: ProjectValues): Partial<WrittenColumns> => ({
  ...values,
  ...(tags && { tags: formatTags(tags) }),
});

const copiedNames = writtenNames.filter((name) => writtenMembers[name].isCopied);

/** The members that a copy takes over. */
export const copiedColumns = (source: WrittenColumns): Partial<WrittenColumns> =>
  Object.fromEntries(copiedNames.map((name) => [name, source[name]]));

/**
 * Whether a member is sent as it is stored. What an import brought may break the rules for writing, and it can be sent
 * back. Forms send a line break as LF, and a field of one line has none.
 */
export function isAsStored(
  stored: Pick<ProjectRow, 'title' | 'text' | 'tags' | 'status'>,
  name: string,
  value: unknown,
): boolean {
  if (name === 'text') return value === stored.text || value === stored.text.replace(/\r\n?/g, '\n');
  // A status that nobody can choose is no change either.
  if (name === 'status') return stored.status === waiting && Number(value) === waiting;
  if (name !== 'title' && name !== 'tags') return false;
  if (Array.isArray(value)) return name === 'tags' && Bun.deepEquals(value, parseTags(stored));
  return value === stored[name] || value === stored[name].replace(/[\r\n]/g, '');
}
