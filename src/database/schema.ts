// The tables as migrations/ leaves them. Integers fit a JavaScript number; times are microseconds since 1970.
import { integer, nullable, table, text } from './columns.ts';

export * from './mail-schema.ts';
export * from './notification-schema.ts';
export * from './sign-in-schema.ts';
export * from './webhook-schema.ts';

export const contributorTable = table('contributor', ['id'], {
  id: integer(),
  username: text(),
  first_name: text(),
  last_name: text(),
  last_name_key: text(),
  created: integer(),
  username_key: text(),
  /** Two usernames with the same look could be taken for each other. */
  username_look: text(),
  shown_name: text(),
  hidden_first_name: text(),
  hidden_last_name: text(),
});

export const projectTable = table('project', ['id'], {
  id: integer(),
  uuid: text(),
  slug: text(),
  title: text(),
  title_key: text(),
  content_type: text(),
  contributor: integer(),
  last_name_key: text(),
  copied_from: nullable(integer()),
  parent: nullable(integer()),
  link: nullable(text()),
  visibility: text(),
  status: integer(),
  tags: text(),
  text: text(),
  rating_count: integer(),
  rating_sum: integer(),
  karma: integer(),
  opening_rating_count: integer(),
  opening_rating_sum: integer(),
  opening_karma: integer(),
  created: integer(),
  modified: integer(),
  record_modified: integer(),
  root: nullable(integer()),
  thread_visibility: integer(),
  trashed: nullable(integer()),
  trashed_by: nullable(integer()),
  trashed_status: nullable(integer()),
  earned_karma: integer(),
  history: text(),
  removed_files: integer(),
});

/** `listed_created` is when the project was created; null while it is not listed. */
export const tagTable = table('tag', ['project', 'position'], {
  project: integer(),
  position: integer(),
  tag: text(),
  tag_key: text(),
  content_type: text(),
  listed_created: nullable(integer()),
});

export const changeTable = table('change', ['sequence'], {
  sequence: integer(),
  at: integer(),
  actor: nullable(integer()),
  action: text(),
  kind: text(),
  subject: integer(),
  record: text(),
  owner: nullable(integer()),
  listed: integer(),
  hash: text(),
});

export const ratingTable = table('rating', ['project', 'contributor'], {
  project: integer(),
  contributor: integer(),
  value: integer(),
  created: integer(),
  modified: integer(),
});

export const accountTable = table('account', ['contributor'], {
  contributor: integer(),
  password: nullable(text()),
  role: text(),
  disabled: nullable(integer()),
});

export const profileTable = table('profile', ['contributor'], {
  contributor: integer(),
  about: text(),
  links: text(),
  pinned: text(),
});

/** Avatars are square. */
export const avatarSizeTable = table('avatar_size', ['contributor', 'width'], {
  contributor: integer(),
  width: integer(),
  hash: text(),
  bytes: integer(),
});

export const apiKeyTable = table('api_key', ['id'], {
  id: integer(),
  contributor: integer(),
  name: text(),
  hash: text(),
  can_write: integer(),
  created: integer(),
  expires: nullable(integer()),
  last_used: nullable(integer()),
});

export const mediaTable = table('media', ['project', 'number'], {
  project: integer(),
  number: integer(),
  position: integer(),
  type: text(),
  name: text(),
  alt: text(),
  origin: nullable(integer()),
});

export const mediaSizeTable = table('media_size', ['project', 'number', 'hash'], {
  project: integer(),
  number: integer(),
  hash: text(),
  bytes: integer(),
  width: nullable(integer()),
  height: nullable(integer()),
});

export const decisionTable = table('decision', ['id'], {
  id: integer(),
  created: integer(),
  moderator: nullable(integer()),
  action: text(),
  project: nullable(integer()),
  contributor: integer(),
  reason: text(),
  status: nullable(integer()),
  undoes: nullable(integer()),
});

export const reportTable = table('report', ['id'], {
  id: integer(),
  project: integer(),
  contributor: integer(),
  reason: text(),
  words: text(),
  created: integer(),
  modified: integer(),
  decision: nullable(integer()),
});

export const nameReportTable = table('name_report', ['id'], {
  id: integer(),
  contributor: integer(),
  reporter: integer(),
  words: text(),
  created: integer(),
  modified: integer(),
  decision: nullable(integer()),
});

/** The counts of projects, by the columns that listings filter by. */
export const projectCountTable = table(
  'project_count',
  ['visibility', 'status', 'thread_visibility', 'content_type'],
  {
    visibility: text(),
    status: integer(),
    thread_visibility: integer(),
    content_type: text(),
    count: integer(),
  },
);

/** `reversed` has the characters of the word from last to first: it finds words by their ends. */
export const suggestionWordTable = table('suggestion_word', ['word'], { word: text(), reversed: text() });

/** How many listed projects have each tag. */
export const tagCountTable = table('tag_count', ['tag_key'], { tag_key: text(), count: integer() });

/** How many listed projects and comments each contributor has. */
export const contributorCountTable = table('contributor_count', ['contributor'], {
  contributor: integer(),
  count: integer(),
});

/** How much each contributor stores. */
export const contributorUsageTable = table('contributor_usage', ['contributor', 'resource'], {
  contributor: integer(),
  resource: text(),
  count: integer(),
});

/** One row: the last sequence number of the change log, and its hash. */
export const changeHeadTable = table('change_head', [], { last: integer(), hash: text() });

/** One row: the last change after which deleted data was overwritten. */
export const overwrittenTable = table('overwritten', [], { sequence: integer() });

export const contributorUpdateTable = table('contributor_update', ['contributor'], {
  contributor: integer(),
  content: nullable(text()),
  last_created: integer(),
  last_id: integer(),
});

export const secretTable = table('secret', ['name'], { name: text(), value: text() });

export const idempotencyTable = table('idempotency', ['contributor', 'key'], {
  contributor: integer(),
  key: text(),
  request: text(),
  response: text(),
  created: integer(),
  bytes: integer(),
});

/** An empty host is the default for all. */
export const siteSettingTable = table('site_setting', ['host', 'name'], {
  host: text(),
  name: text(),
  value: text(),
});

export const weeklyCountTable = table('weekly_count', ['week', 'activity', 'content_type'], {
  week: integer(),
  activity: text(),
  content_type: text(),
  count: integer(),
});

/** `finished` is 0 before the first time; `held_until` is 0 while nobody does it. */
export const scheduledJobTable = table('scheduled_job', ['name'], {
  name: text(),
  finished: integer(),
  held_by: text(),
  held_until: integer(),
});

export const publicDumpTable = table('public_dump', ['hash'], {
  hash: text(),
  bytes: integer(),
  projects: integer(),
  created: integer(),
});

export const migrationTable = table('migration', ['number'], { number: integer(), name: text() });
