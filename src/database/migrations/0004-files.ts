import type { Migration } from '../migrate.ts';

export const files: Migration = {
  name: 'files',
  statements: ({ integer, text }) => [
    // A file of a project: `number` is what it is called by, `position` where it stands among the others.
    `create table media (
      project ${integer} not null references project (id),
      number ${integer} not null,
      position ${integer} not null,
      type ${text} not null,
      name ${text} not null,
      alt ${text} not null,
      primary key (project, number)
    )`,
    // What is kept of it, by the hash of its bytes: of a picture every size, of all else the file itself.
    `create table media_size (
      project ${integer} not null,
      number ${integer} not null,
      hash ${text} not null,
      bytes ${integer} not null,
      width ${integer},
      height ${integer},
      primary key (project, number, hash),
      foreign key (project, number) references media (project, number)
    )`,
    'create index media_size_by_hash on media_size (hash)',
  ],
};
