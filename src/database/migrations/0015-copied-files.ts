import type { Migration } from '../migrate.ts';

/** The project that a copied file was uploaded to, and how many files of a copy were deleted there. */
export const copiedFiles: Migration = {
  name: 'copied files',
  statements: ({ integer, text }) => [
    `alter table media add column origin ${integer}`,
    `alter table project add column removed_files ${integer} not null default 0`,
    // The origin is the farthest ancestor that still has the file, if all between have it.
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
    'create index media_by_origin on media (origin) where origin is not null',
  ],
};
