import type { JsonMember } from '#sql';
import type { Dialect, FillStep, Migration } from '#sql/open';

export const addAudiences = ({ integer, text }: Dialect) => [
  `alter table project add column made_for ${integer}`,
  `alter table project add column source_maker ${text}`,
  `alter table project add column ends_set ${integer}`,
];

const addNotes = ({ integer, text }: Dialect) => [
  `alter table hand_in_file add column origin ${integer}`,
  'create index hand_in_file_by_origin on hand_in_file (origin) where origin is not null',
  `alter table collection_item add column noted_by ${integer}`,
  `alter table collection_item add column note_for ${text}`,
  "create index collection_item_waiting on collection_item (collection) where note_for = 'review'",
];

export const collectionIndex =
  "project_collections_by_contributor (contributor, id) where content_type = 'collection'";

const isClass = (id: string) =>
  `exists (select 1 from project as class where class.id = ${id} and class.kind = 'class')`;

const firstClassOf = (project: string) => `(select min(item.collection) from collection_item as item
  where item.project = ${project} and ${isClass('item.collection')})`;

/** Whether visitors could read a project at a time. What was listed then is known also of an erased one. */
const wasOpen = (member: JsonMember, project: string, at: string) => `(select case when change.listed = 1
    or (${member('change.record', 'visibility')} in ('public', 'unlisted')
      and ${member('change.record', 'status')} in ('1', '2')) then 1 else 0 end
  from change where change.kind = 'project' and change.subject = ${project} and change.at <= ${at}
    and (change.record <> '' or change.listed = 1)
  order by change.sequence desc limit 1)`;

/** Of a copy that was made when visitors could not read what somebody else had made, as far as the log knows. */
const fromOthers = (
  member: JsonMember,
  expression: string,
) => `(with recursive own (id, contributor, copied_from, created) as (
    select copy.id, copy.contributor, copy.copied_from, copy.created from project as copy where copy.id = project.id
    union
    select source.id, source.contributor, source.copied_from, source.created from own
      join project as source on source.id = own.copied_from and source.contributor = own.contributor
  ) select ${expression} from own join project as source on source.id = own.copied_from
  where source.contributor <> own.contributor and coalesce(${wasOpen(member, 'source.id', 'own.created')},
    case when source.visibility in ('public', 'unlisted') and source.status in (1, 2) then 1 else 0 end) = 0
  limit 1)`;

const classOfCopy = `coalesce(${firstClassOf('source.id')}, source.made_for,
  (select looked_after_by from account where account.contributor = own.contributor),
  (select min(person.collection) from collection_person as person
    where person.contributor = own.contributor and ${isClass('person.collection')}))`;

const makerOfCopy = `case when source.contributor in (
    select contributor from project as class where class.id = ${classOfCopy}
    union select contributor from collection_person as person
      where person.collection = ${classOfCopy} and person.role = 'teacher')
  then 'teacher' else 'classmate' end`;

const isWork = "content_type not in ('comment', 'collection')";

/** Rows from before get the narrowest audience that their history shows. Without classes, nothing is looked at. */
export const fillAudiences = (member: JsonMember) => [
  {
    table: 'collection_item',
    key: 'collection',
    set: "note_for = 'people'",
    rest: `note_for is null and noted_by is null and note <> '' and exists (
      select 1 from project as class where class.id = collection and class.kind = 'class'
        and class.visibility not in ('public', 'unlisted'))`,
  },
  {
    table: 'project',
    key: 'id',
    set: `made_for = ${firstClassOf('project.id')}`,
    rest: `made_for is null and ${isWork} and (visibility = 'class' or (visibility = 'private'
      and exists (select 1 from collection_item as item where item.project = project.id)
      and exists (select 1 from change where change.kind = 'project' and change.subject = project.id
        and ${member('change.record', 'visibility')} = 'class')))`,
  },
  {
    table: 'project',
    key: 'id',
    set: `made_for = coalesce((select class.id from project as class where class.id = project.root and class.kind = 'class'),
      ${firstClassOf('project.root')})`,
    rest: "made_for is null and content_type = 'comment' and visibility = 'class'",
  },
  {
    table: 'project',
    key: 'id',
    set: `made_for = ${fromOthers(member, classOfCopy)}, source_maker = ${fromOthers(member, makerOfCopy)}`,
    rest: `source_maker is null and copied_from is not null and ${isWork} and visibility in ('class', 'private')
      and exists (select 1 from project as class where class.kind = 'class') and ${fromOthers(member, classOfCopy)} is not null`,
  },
];

/** Comments on hidden work: see gallery/projects/writing/older-comments.ts. */
export const findOlderComments = `insert into job
  (kind, name, contributor, priority, content, created, due, attempts, held_by, held_until, finished)
  values ('older_comments', 'all', null, 0, '{"last":0}', 0, 0, 0, '', 0, 0)`;

export const audiences: Migration = {
  from: 56,
  to: 57,
  name: 'for whom works and comments were made',
  steps: (dialect) => [
    {
      kind: 'expand',
      locks: ['project', 'collection_item', 'hand_in_file'],
      statements: [...addAudiences(dialect), ...addNotes(dialect), findOlderComments],
    },
    { kind: 'index', table: 'project', index: collectionIndex },
    { kind: 'index', table: 'bookmark', index: 'bookmark_by_project (project)' },
    ...fillAudiences(dialect.jsonMember).map((fill): FillStep => ({ kind: 'fill', ...fill })),
  ],
};
