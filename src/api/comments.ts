// /api/v1/projects/<id>/comments/: what people say of a project, or answer to a comment.

import { readFields } from '../fields.ts';
import { commentOn } from '../gallery/projects/change.ts';
import { commentFields } from '../gallery/projects/fields.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { made, projectId, projectPage } from './projects.ts';
import { asFields, recordAnswer, recordParameters, recordRenderer } from './record.ts';
import { countsOnce, transactOnce } from './transact.ts';

export function commentsResource(parts: ApiParts): Resource<Viewer> {
  const { database, projects, timeZone: zone, secret } = parts;
  const fields = asFields(commentFields);
  return {
    path: '/api/v1/projects/:id/comments/',
    pathParameters: projectId,
    name: 'Content Comments',
    description: 'The comments on a project, or the answers to a comment, the oldest first.',
    operations: {
      GET: {
        summary: 'A page of comments.',
        parameters: { ...pageParameters, ...recordParameters },
        permission: needs('read'),
        answer: projectPage,
        async handle(call) {
          const about = await projects.one(call.viewer, identifier(call));
          const render = recordRenderer(call.given, { base: call.base, zone }, database);
          return { data: await paginate(projects.comments(call.viewer, about), call, secret, render) };
        },
      },
      POST: {
        summary: 'Comments on the project, or answers one of its comments.',
        parameters: recordParameters,
        headers: countsOnce,
        fields,
        permission: needs('comment'),
        async allowed(call) {
          await projects.one(call.viewer, identifier(call));
        },
        status: 201,
        answer: recordAnswer,
        handle: (call) =>
          transactOnce(database, call, async (act) => {
            const read = () => readFields(fields, call.body.data, { strict: call.strict });
            const comment = await commentOn(act, identifier(call), read);
            return made(parts, call, comment, act.transaction);
          }),
      },
    },
  };
}
