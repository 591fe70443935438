import type { Migration } from '../migrate.ts';

export const files: Migration = {
  name: 'files',
  statements: ({ integer, text }) => [
    // The files of projects: `number` identifies a file within its project, `position` is its place in the order.
    `create table media (
      project ${integer} not null references project (id),
      number ${integer} not null,
      position ${integer} not null,
      type ${text} not null,
      name ${text} not null,
      alt ${text} not null,
      primary key (project, number)
    )`,
    // The stored bytes of a file by their hash: each size of a picture, or the one original of any other file.
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
