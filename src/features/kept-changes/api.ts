// /api/v1/projects/<id>/edits/: the changes of a project that its maker keeps for later.

import { z } from 'zod';
import { NotFound } from '#common/errors.ts';
import {
  type ApiResource,
  buildVersionCheck,
  idempotencyKeyHeader,
  ifMatchHeader,
  operation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import {
  memberParameters,
  projectSchema,
  withReadOnlyFields,
} from '../../projects/api/project-serializer.ts';
import { projectIdParameter, requireChangeable, toProjectResult } from '../../projects/api/projects.ts';
import type { Project } from '../../projects/project.ts';
import { aspectOf, isAsStored } from '../../projects/project-fields.ts';
import {
  discardChanges,
  findKeptChanges,
  type KeptChanges,
  keepChanges,
  keptFields,
  publishKeptChanges,
  toMembers,
} from './kept-changes.ts';

const { parent, ...schemas } = aspectOf('schema');

const editsSchema = z.object(schemas).partial().meta({
  id: 'ProjectEdits',
  description: 'The members that are changed, as PATCH of the project takes them.',
});

/** With the ETag of the project for `If-Match`, unless that has changed since they were begun. */
const toResult = (
  { members, since }: KeptChanges,
  { modified, record_modified }: Pick<Project, 'modified' | 'record_modified'>,
) => ({ data: members, version: since === modified ? record_modified : since });

export const resources: readonly ApiResource[] = [
  {
    path: '/api/v1/projects/:id/edits/',
    pathParameters: projectIdParameter,
    name: 'Project Edits',
    heading: 'Kept changes',
    description: 'Changes of your project that you keep for later: nobody else sees them.',
    GET: operation({
      operationId: 'getProjectEdits',
      summary: 'The changes that are kept.',
      permission: 'seeAccount',
      responseSchema: editsSchema,
      async handle(context, { database, projects }) {
        const project = await projects.find(context.viewer, parsePathId(context));
        const kept = await findKeptChanges(database, context.viewer, project.id);
        if (!kept) throw new NotFound();
        return toResult(kept, project);
      },
    }),
    PUT: writeOperation({
      operationId: 'keepProjectEdits',
      summary: 'Keeps these changes, in place of those that were kept.',
      headers: ifMatchHeader,
      fields: withReadOnlyFields(keptFields),
      isPartial: true,
      permission: 'changeProject',
      precheck: (context, deps) => requireChangeable(deps, context),
      responseSchema: editsSchema,
      async write(write, context) {
        const versioned = { ...write, matchesVersion: buildVersionCheck(context) };
        const { kept, project } = await keepChanges(versioned, parsePathId(context), (before) => ({
          members: toMembers(context.readValues((name, value) => isAsStored(before, name, value))),
          // The sender has seen the project as it is.
          ...(context.headers.has('If-Match') && { since: before.modified }),
        }));
        return toResult(kept, project);
      },
    }),
    POST: writeOperation({
      operationId: 'publishProjectEdits',
      summary: 'Changes the project as a PATCH with the kept changes would.',
      parameters: memberParameters,
      headers: { ...ifMatchHeader, ...idempotencyKeyHeader },
      permission: 'changeProject',
      precheck: (context, deps) => requireChangeable(deps, context),
      responseSchema: projectSchema,
      async write(write, context, deps) {
        const versioned = { ...write, matchesVersion: buildVersionCheck(context) };
        const project = await publishKeptChanges(versioned, parsePathId(context));
        return toProjectResult(deps, context, project, write.transaction);
      },
    }),
    DELETE: writeOperation({
      operationId: 'discardProjectEdits',
      summary: 'Throws the kept changes away.',
      permission: 'changeProject',
      status: 204,
      async write(write, context) {
        await discardChanges(write, parsePathId(context));
      },
    }),
  },
];
