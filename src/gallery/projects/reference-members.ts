// The members of a project that name another one by its id: see fields.ts.

import { z } from 'zod';
import type { Field, Lookup } from '../../common/fields.ts';
import { InvalidValue } from '../../common/inputs.ts';
import { parseId } from '../ids.ts';
import { id, optional } from '../line-format.ts';

/** Where forms look up projects by their title. */
export const projectLookup: Lookup = {
  url: '/api/v1/projects/?fields=id,title&page_size=10',
  valueMember: 'id',
  labelMember: 'title',
};

const referenceField = (label: string, help: string): Field<number | null> => ({
  label,
  help,
  lookup: projectLookup,
  schema: { type: ['integer', 'null'], minimum: 1 },
  read(value) {
    if (value === null || value === '') return null;
    const id = typeof value === 'number' || typeof value === 'string' ? parseId(String(value)) : undefined;
    if (id === undefined) throw new InvalidValue('Incorrect type. Expected the id of a project.');
    return id;
  },
});

const referenceMember = (label: string, help: string, description: string) =>
  ({
    field: referenceField(label, help),
    schema: z.int().min(1).max(Number.MAX_SAFE_INTEGER).nullable().describe(description),
    line: optional(id),
    initial: null,
    isCopied: false,
  }) as const;

export const parentMember = referenceMember(
  'Parent',
  'For comments: the id of the project or comment that it replies to.',
  'The project or comment that a comment is about.',
);

export const answerMember = referenceMember(
  'Answer',
  'For questions: the id of the comment that you accept as the answer.',
  'The comment that the contributor of a question has accepted as the answer.',
);
