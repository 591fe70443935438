// From the gallery of version 0.1.0, schema 6, to the newest: everything that was added since, in one step. New tables come
// from their declarations; columns and indexes that are added to those of 0.1.0 stand here.

import { createIndex, createTables, type Dialect, type Migration } from '#sql/open';
import { isDeletion } from '../changes/deletions.ts';
import { lookOfUsernameSql } from '../contributors/look-alike-letters.ts';
import { addAskedStatus } from './asked-status.ts';
import { addAudiences, collectionIndex, findOlderComments } from './audiences.ts';
import { addCollectionColumns } from './collections.ts';
import { addFocus } from './focus.ts';
import { addFollowingColumns, listed } from './following.ts';
import { findJobs } from './jobs.ts';
import { moveRepeatedKarma } from './karma-of-comments.ts';
import { addLicenses, licenseIndex } from './licenses.ts';
import { addBeginningOfSessions } from './linked-accounts.ts';
import { newest } from './newest.ts';
import { addReviewColumns } from './review.ts';
import { copySecretForImports } from './secret-of-imports.ts';

/** The tables of version 0.1.0. Its search index is built again. */
const earlierTables = new Set([
  ...['contributor', 'project', 'tag', 'rating', 'media', 'media_size', 'project_count', 'tag_count'],
  ...['change', 'change_head', 'decision', 'report'],
  ...['account', 'session', 'api_key', 'invitation', 'sign_in_attempt', 'idempotency', 'secret'],
]);

export const fromFirstRelease: Migration = {
  from: 6,
  to: newest,
  name: 'from 0.1.0',
  statements: (dialect) => [
    ...addColumns(dialect),
    ...addReviewColumns(dialect),
    ...addLicenses(dialect),
    addBeginningOfSessions(dialect),
    ...addAudiences(dialect),
    addAskedStatus(dialect),
    addFocus(dialect),
    copySecretForImports,
    ...addIndexes,
    ...addFollowingColumns(dialect),
    ...addCollectionColumns(dialect),
    createIndex('project', collectionIndex),
    'drop table project_search',
    ...Object.entries(createTables(dialect))
      .filter(([name]) => !earlierTables.has(name))
      .flatMap(([, statements]) => statements),
    ...fillCounts(Date.now() * 1000),
    ...findOrigins(dialect),
    ...changeKarma(Date.now() * 1000),
    ...moveRepeatedKarma,
    ...findJobs(dialect),
    findOlderComments,
  ],
  rebuilds: ['search', 'suggestionWords', 'nameKeys', 'changeHashes'],
};

const addColumns = ({ integer, text }: Dialect) => [
  `alter table project add column history ${text} not null default 'private'`,
  `alter table project add column removed_files ${integer} not null default 0`,
  `alter table contributor add column shown_name ${text} not null default 'full'`,
  `alter table contributor add column hidden_first_name ${text} not null default ''`,
  `alter table contributor add column hidden_last_name ${text} not null default ''`,
  `alter table contributor add column username_look ${text} not null default ''`,
  `update contributor set username_look = ${lookOfUsernameSql}`,
  `alter table tag add column content_type ${text} not null default ''`,
  `alter table tag add column listed_created ${integer}`,
  `update tag set
     content_type = (select content_type from project where id = tag.project),
     listed_created = (select created from project where id = tag.project and ${listed})`,
  `alter table media add column origin ${integer}`,
  `alter table session add column last_used ${integer} not null default 0`,
  `alter table session add column browser ${text} not null default ''`,
  'update session set last_used = created',
  `alter table idempotency add column bytes ${integer} not null default 0`,
  'update idempotency set bytes = length(response)',
  `alter table change add column hash ${text} not null default ''`,
  `alter table change_head add column hash ${text} not null default ''`,
];

const addIndexes = [
  'drop index project_by_id',
  `create index project_by_id on project (id, created, content_type) where ${listed}`,
  'drop index project_by_source',
  'create index project_by_source on project (copied_from, created, id) where copied_from is not null',
  'drop index project_by_parent',
  'create index project_by_parent on project (parent, created, id) where parent is not null',
  'create index project_by_slug on project (slug, created, id)',
  `create index project_by_modified on project (modified, id) where ${listed}`,
  `create index project_by_type_modified on project (content_type, modified, id) where ${listed}`,
  'drop index tag_by_key',
  'create index tag_by_key on tag (tag_key, listed_created, project, content_type)',
  'create index contributor_by_look on contributor (username_look)',
  'create index media_by_origin on media (origin) where origin is not null',
  "create index account_by_role on account (role) where role <> 'contributor'",
  'create index idempotency_by_age on idempotency (contributor, created, key, bytes)',
  'create index idempotency_by_created on idempotency (created)',
  createIndex('project', licenseIndex),
  `create index change_of_deletion on change (sequence) where ${isDeletion}`,
];

const dayUs = 86_400_000_000;
const countedWeeks = 26;

const fillCounts = (now: number) => [
  `insert into contributor_count (contributor, count)
     select contributor, count(*) from project where ${listed} group by contributor`,
  `insert into contributor_usage (contributor, resource, count)
     select contributor, 'projects', count(*) from project
     where not (status = 4 and trashed is null) group by contributor`,
  `insert into contributor_usage (contributor, resource, count)
     select contributor, 'file_bytes', sum(bytes) from media_size join project on project.id = media_size.project
     group by contributor`,
  `insert into weekly_count (week, activity, content_type, count)
     select (created / ${dayUs} + 3) / 7, 'created', content_type, count(*) from project
     where created >= ${now - countedWeeks * 7 * dayUs} group by 1, 3`,
  `insert into weekly_count (week, activity, content_type, count)
     select (rating.created / ${dayUs} + 3) / 7, 'rated', content_type, count(*)
     from rating join project on project.id = rating.project
     where rating.created >= ${now - countedWeeks * 7 * dayUs} group by 1, 3`,
];

/** A file was uploaded to the farthest ancestor that still has it, if all between have it. */
export const findOrigins = ({ integer, text }: Pick<Dialect, 'integer' | 'text'>) => [
  `create table media_ancestor (
    project ${integer} not null, number ${integer} not null, hash ${text} not null,
    ancestor ${integer} not null, steps ${integer} not null
  )`,
  `insert into media_ancestor
     with recursive up (project, number, hash, ancestor, steps) as (
       select size.project, size.number, size.hash, project.copied_from, 1
       from media_size as size join project on project.id = size.project
       where exists (
         select 1 from media_size as other where other.project = project.copied_from and other.hash = size.hash
       )
       union all
       select up.project, up.number, up.hash, project.copied_from, steps + 1
       from up join project on project.id = up.ancestor
       where steps < 1000 and exists (
         select 1 from media_size as other where other.project = project.copied_from and other.hash = up.hash
       )
     )
     select project, number, hash, ancestor, steps from up`,
  'create index media_ancestor_by_file on media_ancestor (project, number, steps)',
  `update media set origin = (
     select ancestor from media_ancestor as up
     where up.project = media.project and up.number = media.number order by steps desc limit 1
   )`,
  'drop table media_ancestor',
];

const isRated = 'id in (select project from rating)';
const max = Number.MAX_SAFE_INTEGER;

/** A rating earns 1 for a 4 and 2 for a 5. It earned its value before. Followers of the change log learn of it. */
const changeKarma = (now: number) => [
  `insert into change (sequence, at, actor, action, kind, subject, record, owner, listed)
     select (select last from change_head) + row_number() over (order by id), ${now}, null, 'credited', 'project', id,
       '', contributor, case when ${listed} then 1 else 0 end
     from project where ${isRated}`,
  `update change_head set last = last + (select count(*) from project where ${isRated})`,
  `update project set
     earned_karma = earned_karma + (
       select cast(sum(case value when 5 then 2 when 4 then 1 else 0 end - value) as bigint)
       from rating where rating.project = project.id),
     record_modified = case when record_modified < ${now} then ${now} else record_modified + 1 end
     where ${isRated}`,
  `update project set karma = case when opening_karma + earned_karma > ${max} then ${max}
       when opening_karma + earned_karma > 0 then opening_karma + earned_karma else 0 end
     where ${isRated} or opening_karma + earned_karma > ${max}`,
  ...['rating_count', 'rating_sum'].map(
    (figure) => `update project set ${figure} = ${max} where ${figure} > ${max}`,
  ),
];
