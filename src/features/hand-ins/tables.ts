import { integer, nullable, reference, text } from '#sql';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

/** When a class has been due: a time that has come stays when the next one is set. */
export const collectionDueTable = table(
  'collection_due',
  ['collection', 'due'],
  {
    collection: reference(projectTable),
    due: integer(),
    created: integer(),
  },
  { whenProjectErased: 'deleted' },
);

/**
 * The files that a project in a class had when it was due, from their first change after that. Without files, there is one
 * row with the number 0.
 */
export const handInFileTable = table(
  'hand_in_file',
  ['collection', 'due', 'project', 'number'],
  {
    collection: reference(projectTable),
    due: integer(),
    project: reference(projectTable),
    number: integer(),
    media_type: text(),
    name: text(),
    alt: text(),
    hash: nullable(text()),
    bytes: integer(),
    origin: nullable(integer()),
  },
  {
    whenProjectErased: 'deleted',
    indexes: [
      'hand_in_file_by_project (project)',
      'hand_in_file_by_hash (hash) where hash is not null',
      'hand_in_file_by_origin (origin) where origin is not null',
    ],
  },
);
