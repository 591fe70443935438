import { integer, nullable, reference, text } from '#sql';
import { contributorTable } from '../../core/contributors/tables.ts';
import { table } from '../../core/declare-table.ts';
import { projectTable } from '../../projects/tables.ts';

/**
 * The projects in a collection, and those that were offered to it; `position` only says which comes first. `note_for` says
 * who reads the note, if not all do: those who `review` it, or the `people` of the collection.
 */
export const collectionItemTable = table(
  'collection_item',
  ['collection', 'project'],
  {
    collection: reference(projectTable),
    project: reference(projectTable),
    position: integer(),
    note: text(),
    state: text(),
    added_by: nullable(integer()),
    added: integer(),
    noted_by: nullable(integer()),
    note_for: nullable(text()),
  },
  {
    whenProjectErased: 'deleted',
    indexes: [
      'collection_item_by_project (project, state)',
      "collection_item_waiting (collection) where note_for = 'review'",
      "collection_item_offered (added_by) where state = 'offered'",
    ],
  },
);

/**
 * A section begins before the first project at its `position` or after it; several at one position are in the order of `number`.
 * `written_for` is the `note_for` of its words.
 */
export const collectionSectionTable = table(
  'collection_section',
  ['collection', 'number'],
  {
    collection: reference(projectTable),
    number: integer(),
    position: integer(),
    heading: text(),
    text: text(),
    written_by: reference(contributorTable),
    written_for: nullable(text()),
  },
  {
    whenProjectErased: 'deleted',
    deletedWithContent: ['written_by'],
    indexes: ["collection_section_waiting (collection) where written_for = 'review'"],
  },
);

/** The people who may do more with a collection than others. */
export const collectionPersonTable = table(
  'collection_person',
  ['collection', 'contributor'],
  { collection: reference(projectTable), contributor: reference(contributorTable), role: text() },
  {
    whenProjectErased: 'deleted',
    whenOwnerLeaves: 'deleted',
    indexes: ['collection_person_by_contributor (contributor, collection)'],
  },
);
