// The fields that a contributor may write: see ../../fields.ts. Forms, OPTIONS, OpenAPI and the routes use them.

import {
  choiceField,
  type Field,
  type Fields,
  InvalidValue,
  type PartialValues,
  readText,
  textField,
} from '../../common/fields.ts';
import { hasControlCharacters, isLongerThan } from '../../common/text-rules.ts';
import { parseId } from '../ids.ts';
import type { ProjectRow } from './columns.ts';
import { projectLookup, tagLookup } from './lookups.ts';
import { contentTypes, histories, linkPattern, projectLimits, visibilities } from './project.ts';
import { archived, draft, published, removed } from './status.ts';
import { parseTags, tagKey } from './tags.ts';

const toChoices = <const Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<Value, Value>;

const statusChoices = { draft, published, archived, removed } as const;

/** Empty and repeated ones count here, and not as tags of the project. */
const maxSentTags = 1000;

const tooManyTags = () => new InvalidValue(`Ensure there are no more than ${projectLimits.tags} tags.`);

/** One text with commas, as in the record, or a list. */
const tagsField: Field<string[]> = {
  label: 'Tags',
  help: 'Separated by commas, or a list.',
  lookup: tagLookup,
  schema: {
    anyOf: [
      { type: 'string' },
      {
        type: 'array',
        maxItems: projectLimits.tags,
        items: { type: 'string', minLength: 1, maxLength: projectLimits.tag },
      },
    ],
  },
  read(value) {
    const list = Array.isArray(value) ? value : readText(value).split(',', maxSentTags + 1);
    if (list.length > maxSentTags) throw tooManyTags();
    const read = new Map<string, string>();
    for (const member of list) {
      const tag = readText(member).trim();
      if (tag === '') {
        if (Array.isArray(value)) throw new InvalidValue('A tag may not be blank.');
        continue;
      }
      if (isLongerThan(tag, projectLimits.tag))
        throw new InvalidValue(`Ensure a tag has no more than ${projectLimits.tag} characters.`);
      if (tag.includes(',')) throw new InvalidValue('A tag may not hold a comma.');
      if (hasControlCharacters(tag)) throw new InvalidValue('Control characters are not allowed.');
      if (!read.has(tagKey(tag))) read.set(tagKey(tag), tag);
    }
    if (read.size > projectLimits.tags) throw tooManyTags();
    return [...read.values()];
  },
};

const linkTextField = textField({
  label: 'Link',
  help: 'For links and videos: an http or https address.',
  maxLength: projectLimits.link,
  allowsBlank: true,
  isSingleLine: true,
  format: 'uri',
  pattern: [linkPattern, 'Enter a valid URL.'],
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

export const projectFields = {
  title: textField({ label: 'Title', required: true, maxLength: projectLimits.title, isSingleLine: true }),
  text: textField({ label: 'Text', help: 'Markdown.', maxLength: projectLimits.text, allowsBlank: true }),
  tags: tagsField,
  visibility: choiceField('Visibility', toChoices(visibilities), {
    help: 'public: listed; unlisted: for anyone with the address; private: for you and moderators.',
  }),
  status: choiceField('Status', statusChoices, {
    help: '0 draft, 1 published, 2 archived; 3 removed, by moderators only.',
  }),
  content_type: choiceField('Content type', toChoices(contentTypes)),
  link: linkField,
  history: choiceField('History', toChoices(histories), {
    help: 'private: only you and moderators see earlier versions; public: everybody who sees the project.',
  }),
  parent: parentField,
} satisfies Fields;

export type ProjectValues = PartialValues<typeof projectFields>;

/**
 * Whether a member is sent as it is stored. What an import brought may break the rules for writing, and it can be sent
 * back. Forms send a line break as LF, and a field of one line has none.
 */
export function isAsStored(
  stored: Pick<ProjectRow, 'title' | 'text' | 'tags'>,
  name: string,
  value: unknown,
): boolean {
  if (name === 'text') return value === stored.text || value === stored.text.replace(/\r\n?/g, '\n');
  if (name !== 'title' && name !== 'tags') return false;
  if (Array.isArray(value)) return name === 'tags' && Bun.deepEquals(value, parseTags(stored));
  return value === stored[name] || value === stored[name].replace(/[\r\n]/g, '');
}

/** The title of a comment is optional: it may be taken from the text. */
export const commentFields = {
  ...projectFields,
  title: { ...projectFields.title, required: false },
  text: textField({ label: 'Text', help: 'Markdown.', required: true, maxLength: projectLimits.text }),
} satisfies Fields;
