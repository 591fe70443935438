// /api/v1/projects/<id>/items/ and …/people/: what is in a collection, and who arranges it.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import { choiceText, notOption } from '#common/inputs.ts';
import { choiceField, integerField, textField } from '#rest/fields.ts';
import type { ApiDependencies } from '../../core/api/dependencies.ts';
import {
  type ApiContext,
  type ApiResource,
  idempotencyKeyHeader,
  ifMatchHeader,
  operation,
  parsePathId,
  pathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { idSchema, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { requireId } from '../../core/ids.ts';
import { formatInstant } from '../../core/instant.ts';
import { contributorPath } from '../../core/paths.ts';
import { projectIdParameter } from '../../projects/api/projects.ts';
import { addItem, changeItem, removeItem } from './arrange.ts';
import { collectionLimits, itemStates, requireCollection } from './items.ts';
import { collectionRoles } from './memberships.ts';
import { type CollectionPerson, canSeePeople, listPeople, removePerson, setPerson } from './people.ts';
import { findItem, type ItemWithSection, listItemsWithSections } from './sections.ts';

const itemSchema = z
  .object({
    project: idSchema.describe('The id of the project.'),
    position: z.int().min(1).describe('Its place among the items that you see.'),
    note: z.string(),
    section_heading: z.string().optional().describe('Only of the first project of a section: its heading.'),
    section_text: z.string().optional().describe('Beside `section_heading`: the sentence below it.'),
    state: z
      .enum(itemStates)
      .describe(
        'offered: it waits for an answer; withdrawn: its maker took it out. You see these of your own projects only, or if you arrange the collection.',
      ),
    added_by: idSchema
      .nullable()
      .describe('The contributor who added or offered it; once an offer is accepted, who accepted it.'),
    added: timestampSchema,
  })
  .meta({ id: 'CollectionItem', description: 'A project in a collection.' });

const personSchema = z
  .object({
    contributor: idSchema,
    username: z.string(),
    name: z.string(),
    html_url: z.url(),
    role: z.enum(collectionRoles),
  })
  .meta({ id: 'CollectionPerson', description: 'Somebody who has a part in a collection.' });

const note = textField({ label: 'Note', maxLength: collectionLimits.note, allowsBlank: true });
const newItemFields = {
  project: integerField({ label: 'Project', required: true, min: 1, max: Number.MAX_SAFE_INTEGER }),
  note,
};
const itemFields = {
  section_heading: textField({
    label: 'Section heading',
    maxLength: collectionLimits.heading,
    allowsBlank: true,
    help: 'A section begins with this project; empty: none does.',
  }),
  section_text: textField({ label: 'Section text', maxLength: collectionLimits.note, allowsBlank: true }),
  position: integerField({ label: 'Position', min: 1, max: collectionLimits.items }),
  note,
  state: choiceField(
    'State',
    { included: 'included', declined: 'declined' },
    {
      help: 'Of an offer: included accepts it.',
    },
  ),
};

const state = {
  state: {
    description: 'Only items in this state.',
    ...choiceText(itemStates, notOption),
  },
};

const serializeItem = (item: ItemWithSection, timeZone: string) =>
  toRecord(itemSchema, item, {
    added: formatInstant(item.added, timeZone),
    section_heading: item.section?.heading,
    section_text: item.section?.text,
  });

const serializePerson = (person: CollectionPerson, origin: string) =>
  toRecord(personSchema, person, {
    contributor: person.id,
    name: displayName(person),
    html_url: `${origin}${contributorPath(person.id, person.username)}`,
  });

/** The collection in the path. */
const findCollection = async (
  { viewer, pathParameters }: Pick<ApiContext, 'viewer' | 'pathParameters'>,
  { projects }: Pick<ApiDependencies, 'projects'>,
) => requireCollection(await projects.find(viewer, parsePathId({ pathParameters })));

/** Of the project or the contributor in the path of an item or a person. */
const parseOther = ({ pathParameters }: Pick<ApiContext, 'pathParameters'>) =>
  requireId(pathParameters.other);

const other = (description: string) => ({ ...projectIdParameter, other: { description, ...pathId } });

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/projects/:id/items/',
    pathParameters: projectIdParameter,
    name: 'Collection Item List',
    heading: 'Items',
    description: 'The projects in a collection, in order.',
    GET: operation({
      operationId: 'listCollectionItems',
      summary: 'The items that you may find.',
      parameters: state,
      permission: 'read',
      responseSchema: z
        .array(itemSchema)
        .meta({ id: 'CollectionItemList', description: 'The items of a collection, in order.' }),
      async handle(context, deps) {
        const collection = await findCollection(context, deps);
        const items = await listItemsWithSections(deps.database, context.viewer, collection);
        const wanted = context.parameters.state;
        const { record_modified } = collection;
        return {
          data: items
            .filter(({ state }) => wanted === undefined || state === wanted)
            .map((item) => serializeItem(item, deps.timeZone)),
          version: record_modified,
        };
      },
    }),
    POST: writeOperation({
      operationId: 'addCollectionItem',
      summary: 'Adds a project at the end. Who does not arrange the collection offers it.',
      headers: { ...idempotencyKeyHeader, ...ifMatchHeader },
      fields: newItemFields,
      permission: 'changeCollection',
      precheck: findCollection,
      errors: [403],
      status: 201,
      responseSchema: itemSchema,
      async write(write, context, { timeZone }) {
        const { project, note } = context.readValues();
        return {
          data: serializeItem(await addItem(write, parsePathId(context), project, note), timeZone),
        };
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/items/:other/',
    pathParameters: other('The identifier of the project in the collection.'),
    name: 'Collection Item',
    heading: 'Item',
    description: 'A project in a collection.',
    GET: operation({
      operationId: 'getCollectionItem',
      summary: 'The item.',
      permission: 'read',
      responseSchema: itemSchema,
      async handle(context, deps) {
        const collection = await findCollection(context, deps);
        const item = await findItem(deps.database, context.viewer, collection, parseOther(context));
        const { record_modified } = collection;
        return { data: serializeItem(item, deps.timeZone), version: record_modified };
      },
    }),
    PATCH: writeOperation({
      operationId: 'updateCollectionItem',
      summary: 'Moves the item, changes its note, begins a section with it, or answers an offer.',
      headers: ifMatchHeader,
      fields: itemFields,
      isPartial: true,
      permission: 'changeCollection',
      precheck: findCollection,
      errors: [403],
      responseSchema: itemSchema,
      async write(write, context, { timeZone }) {
        const read = () => context.readValues();
        return {
          data: serializeItem(
            await changeItem(write, parsePathId(context), parseOther(context), read),
            timeZone,
          ),
        };
      },
    }),
    DELETE: writeOperation({
      operationId: 'removeCollectionItem',
      summary: 'Takes the project out, or an offer back. What its maker takes out, nobody else puts back.',
      headers: ifMatchHeader,
      permission: 'changeCollection',
      errors: [403],
      status: 204,
      async write(write, context) {
        await removeItem(write, parsePathId(context), parseOther(context));
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/people/',
    pathParameters: projectIdParameter,
    name: 'Collection Person List',
    heading: 'People',
    description: 'The people who have a part in a collection, beside its owner.',
    GET: operation({
      operationId: 'listCollectionPeople',
      summary: 'The people.',
      permission: 'read',
      responseSchema: z
        .array(personSchema)
        .meta({ id: 'CollectionPersonList', description: 'The people of a collection.' }),
      async handle(context, deps) {
        const collection = await findCollection(context, deps);
        const { id } = collection;
        if (!canSeePeople(context.viewer, collection)) throw new NotFound();
        const people = await listPeople(deps.database, { id });
        return { data: people.map((person) => serializePerson(person, context.origin)), subjectId: id };
      },
    }),
  },
  {
    path: '/api/v1/projects/:id/people/:other/',
    pathParameters: other('The contributor’s identifier.'),
    name: 'Collection Person',
    heading: 'Person',
    description: 'Somebody who has a part in a collection.',
    PUT: writeOperation({
      operationId: 'setCollectionPerson',
      summary: 'Gives somebody a part in the collection.',
      fields: {
        role: choiceField(
          'Role',
          { editor: 'editor', teacher: 'teacher', member: 'member' },
          { required: true },
        ),
      },
      permission: 'changeCollection',
      precheck: findCollection,
      errors: [403],
      status: 204,
      write: (write, context) =>
        setPerson(write, parsePathId(context), parseOther(context), context.readValues().role),
    }),
    DELETE: writeOperation({
      operationId: 'removeCollectionPerson',
      summary: 'Takes the part away. People can also leave by themselves.',
      permission: 'changeCollection',
      errors: [403],
      status: 204,
      write: (write, context) => removePerson(write, parsePathId(context), parseOther(context)),
    }),
  },
];
