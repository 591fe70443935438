import { reference, text } from '#sql';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

/**
 * The course of a learning platform to which a class belongs: the platform, its installation of this site and its id of the
 * course, with spaces between. `consent` is the hash of the wording that a teacher has confirmed for the pupils.
 */
export const courseTable = table(
  'course',
  ['name'],
  { name: text(), collection: reference(projectTable), consent: text() },
  { whenProjectErased: 'deleted', indexes: ['course_by_collection (collection)'] },
);
