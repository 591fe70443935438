// What a contributor may write of a project: see ../../fields.ts. Forms, OPTIONS, OpenAPI and the routes read it.

import { choiceField, type Field, type Fields, plainText, Refused, textField } from '../../fields.ts';
import { parseId } from '../ids.ts';
import { tagKey } from './filters.ts';
import { projectLookUp, tagLookUp } from './look-ups.ts';
import { contentTypes, limits, statusNames, visibilities } from './project.ts';

const named = <const Value extends string>(values: readonly Value[]) =>
  Object.fromEntries(values.map((value) => [value, value])) as Record<Value, Value>;

const statusChoices = Object.fromEntries(
  Object.entries(statusNames).map(([status, name]) => [name, Number(status)]),
);

/** As the record has them, one text with commas, or as a list. */
const tags: Field<string[]> = {
  label: 'Tags',
  help: 'Parted by commas, or a list.',
  lookUp: tagLookUp,
  schema: {
    anyOf: [
      { type: 'string' },
      {
        type: 'array',
        maxItems: limits.tags,
        items: { type: 'string', minLength: 1, maxLength: limits.tag },
      },
    ],
  },
  read(value) {
    const list = Array.isArray(value) ? value : plainText(value).split(',');
    const read = new Map<string, string>();
    for (const member of list) {
      const tag = plainText(member).trim();
      if (tag === '') {
        if (Array.isArray(value)) throw new Refused('A tag may not be blank.');
        continue;
      }
      if ([...tag].length > limits.tag)
        throw new Refused(`Ensure a tag has no more than ${limits.tag} characters.`);
      if (tag.includes(',')) throw new Refused('A tag may not hold a comma.');
      if (/\p{Cc}/u.test(tag)) throw new Refused('Control characters are not allowed.');
      if (!read.has(tagKey(tag))) read.set(tagKey(tag), tag);
    }
    if (read.size > limits.tags) throw new Refused(`Ensure there are no more than ${limits.tags} tags.`);
    return [...read.values()];
  },
};

const address = textField({
  label: 'Link',
  help: 'Where a link or a video leads: an http or https address.',
  most: limits.link,
  blank: true,
  oneLine: true,
  format: 'uri',
  like: [/^https?:\/\/[\x21-\x7e]+$/i, 'Enter a valid URL.'],
});

const link: Field<string | null> = {
  ...address,
  schema: { ...address.schema, type: ['string', 'null'] },
  read: (value) => (value === null ? null : address.read(value) || null),
};

const parent: Field<number | null> = {
  label: 'Parent',
  help: 'What a comment speaks of: the id of a project.',
  lookUp: projectLookUp,
  schema: { type: ['integer', 'null'], minimum: 1 },
  read(value) {
    if (value === null || value === '') return null;
    const id = typeof value === 'number' || typeof value === 'string' ? parseId(String(value)) : undefined;
    if (id === undefined) throw new Refused('Incorrect type. Expected the id of a project.');
    return id;
  },
};

export const projectFields = {
  title: textField({ label: 'Title', required: true, most: limits.title, oneLine: true }),
  text: textField({ label: 'Text', help: 'Markdown.', most: limits.text, blank: true }),
  tags,
  visibility: choiceField('Visibility', named(visibilities), {
    help: 'public: listed; unlisted: for whoever has the address; private: for you and moderators.',
  }),
  status: choiceField('Status', statusChoices, {
    help: '0 draft, 1 published, 2 archived; 3 removed, by moderators only.',
  }),
  content_type: choiceField('Content type', named(contentTypes)),
  link,
  parent,
} satisfies Fields;

/** A comment's title may be left to its text. */
export const commentFields = {
  ...projectFields,
  title: { ...projectFields.title, required: false },
  text: textField({ label: 'Text', help: 'Markdown.', required: true, most: limits.text }),
} satisfies Fields;
