// The field of tags in bodies and forms.

import { apiText } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import { hasControlCharacters, isLongerThan } from '#common/text-rules.ts';
import { type Field, type Lookup, readText } from '#rest/fields.ts';
import { importedLimits, projectLimits } from './project.ts';
import { tagKey } from './tags.ts';

/** Where forms look up tags by their text. */
export const tagLookup: Lookup = {
  url: '/api/v1/tags/?page_size=10',
  valueMember: 'name',
  labelMember: 'name',
  isMultiple: true,
};

/** Empty and repeated ones count here, and not as tags of the project. */
const maxSentTags = 1000;

/** One text with commas, as in the record, or a list. */
export const createTagsField = (max: number): Field<string[]> => ({
  label: apiText('tags'),
  help: 'Separated by commas, or a list.',
  lookup: tagLookup,
  schema: {
    anyOf: [
      { type: 'string' },
      {
        type: 'array',
        maxItems: max,
        items: { type: 'string', minLength: 1, maxLength: projectLimits.tag },
      },
    ],
  },
  read(value) {
    const list = Array.isArray(value) ? value : readText(value).split(',', maxSentTags + 1);
    const tooManyTags = () => new InvalidValue(apiText('tooManyTags', { max }));
    if (list.length > maxSentTags) throw tooManyTags();
    const read = new Map<string, string>();
    for (const member of list) {
      const tag = readText(member).trim();
      if (tag === '') {
        if (Array.isArray(value)) throw new InvalidValue(apiText('blankTag'));
        continue;
      }
      if (isLongerThan(tag, projectLimits.tag))
        throw new InvalidValue(apiText('longTag', { max: projectLimits.tag }));
      if (tag.includes(',')) throw new InvalidValue(apiText('tagComma'));
      if (hasControlCharacters(tag)) throw new InvalidValue(apiText('controlCharacters'));
      if (!read.has(tagKey(tag))) read.set(tagKey(tag), tag);
    }
    if (read.size > max) throw tooManyTags();
    return [...read.values()];
  },
});

/** For projects from elsewhere, which keep more tags. */
export const importedTagsField = createTagsField(importedLimits.tags);
