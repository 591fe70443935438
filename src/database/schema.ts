// The tables in their current form; migrations/ creates them. Bulk writes pass values in the order of the columns.
// All integers fit a JavaScript number; times are microseconds since 1970.

export interface Table {
  readonly name: string;
  readonly key: readonly string[];
  readonly columns: Readonly<Record<string, 'integer' | 'text'>>;
}

export type Value = string | number | null;

export const contributorTable = {
  name: 'contributor',
  key: ['id'],
  columns: {
    id: 'integer',
    username: 'text',
    first_name: 'text',
    last_name: 'text',
    last_name_key: 'text',
    created: 'integer',
    username_key: 'text',
  },
} as const satisfies Table;

export const projectTable = {
  name: 'project',
  key: ['id'],
  columns: {
    id: 'integer',
    uuid: 'text',
    slug: 'text',
    title: 'text',
    title_key: 'text',
    content_type: 'text',
    contributor: 'integer',
    last_name_key: 'text',
    copied_from: 'integer',
    parent: 'integer',
    link: 'text',
    visibility: 'text',
    status: 'integer',
    tags: 'text',
    text: 'text',
    rating_count: 'integer',
    rating_sum: 'integer',
    karma: 'integer',
    opening_rating_count: 'integer',
    opening_rating_sum: 'integer',
    opening_karma: 'integer',
    created: 'integer',
    modified: 'integer',
    touched: 'integer',
    root: 'integer',
    veil: 'integer',
    trashed: 'integer',
    trashed_by: 'integer',
    trashed_status: 'integer',
    earned: 'integer',
  },
} as const satisfies Table;

export const tagTable = {
  name: 'tag',
  key: ['project', 'position'],
  columns: { project: 'integer', position: 'integer', tag: 'text', tag_key: 'text' },
} as const satisfies Table;

export const changeTable = {
  name: 'change',
  key: ['sequence'],
  columns: {
    sequence: 'integer',
    at: 'integer',
    actor: 'integer',
    action: 'text',
    kind: 'text',
    subject: 'integer',
    record: 'text',
    owner: 'integer',
    listed: 'integer',
  },
} as const satisfies Table;

export const ratingTable = {
  name: 'rating',
  key: ['project', 'contributor'],
  columns: {
    project: 'integer',
    contributor: 'integer',
    value: 'integer',
    created: 'integer',
    modified: 'integer',
  },
} as const satisfies Table;

export const accountTable = {
  name: 'account',
  key: ['contributor'],
  columns: { contributor: 'integer', password: 'text', role: 'text', disabled: 'integer' },
} as const satisfies Table;

export const apiKeyTable = {
  name: 'api_key',
  key: ['id'],
  columns: {
    id: 'integer',
    contributor: 'integer',
    name: 'text',
    hash: 'text',
    writes: 'integer',
    created: 'integer',
    expires: 'integer',
    used: 'integer',
  },
} as const satisfies Table;

export const mediaTable = {
  name: 'media',
  key: ['project', 'number'],
  columns: {
    project: 'integer',
    number: 'integer',
    position: 'integer',
    type: 'text',
    name: 'text',
    alt: 'text',
  },
} as const satisfies Table;

export const mediaSizeTable = {
  name: 'media_size',
  key: ['project', 'number', 'hash'],
  columns: {
    project: 'integer',
    number: 'integer',
    hash: 'text',
    bytes: 'integer',
    width: 'integer',
    height: 'integer',
  },
} as const satisfies Table;

export const decisionTable = {
  name: 'decision',
  key: ['id'],
  columns: {
    id: 'integer',
    created: 'integer',
    moderator: 'integer',
    action: 'text',
    project: 'integer',
    contributor: 'integer',
    reason: 'text',
    status: 'integer',
    undoes: 'integer',
  },
} as const satisfies Table;

export const reportTable = {
  name: 'report',
  key: ['id'],
  columns: {
    id: 'integer',
    project: 'integer',
    contributor: 'integer',
    reason: 'text',
    words: 'text',
    created: 'integer',
    modified: 'integer',
    decision: 'integer',
  },
} as const satisfies Table;

/** Imported ids may be higher, but new ids do not continue from those: soon there would be no higher ones. */
export const maxSequentialId = 2 ** 52;
