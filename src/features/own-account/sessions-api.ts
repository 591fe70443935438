// /api/v1/auth/sessions/ and /api/v1/auth/sessions/<id>/: where the viewer is signed in.

import { z } from 'zod';
import { anyText } from '#common/inputs.ts';
import { endOtherSessions, endSession, loadSessions, sessionHashOf } from '../../core/accounts/sessions.ts';
import { type ApiResource, operation } from '../../core/api/operation.ts';
import { timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { formatInstant } from '../../core/instant.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';

const listedSessionSchema = z
  .object({
    id: z
      .string()
      .regex(/^[0-9a-f]{16}$/)
      .describe('A text that names the session; nobody can sign in with it.'),
    browser: z.string().describe('Such as `Firefox on Windows`; empty if it is unknown.'),
    created: timestampSchema,
    used: timestampSchema.describe('When it was last used, to the hour.'),
    expires: timestampSchema.describe('When it ends; it ends earlier after a week without use.'),
    current: z.boolean().describe('The session of this request.'),
  })
  .meta({ id: 'ListedSession', description: 'A browser in which you are signed in.' });

export const resources: ApiResource[] = [
  {
    path: '/api/v1/auth/sessions/',
    name: 'Session List',
    description: 'Where you are signed in.',
    GET: operation({
      operationId: 'listSessions',
      summary: 'Your sessions.',
      permission: 'seeAccount',
      responseSchema: z
        .array(listedSessionSchema)
        .meta({ id: 'Sessions', description: 'All your sessions, the newest first.' }),
      async handle({ viewer }, { database, timeZone }) {
        const sessions = await loadSessions(database, requireSignedIn(viewer), sessionHashOf(viewer));
        const data = sessions.map((session) =>
          toRecord(listedSessionSchema, session, {
            created: formatInstant(session.created, timeZone),
            used: formatInstant(session.last_used, timeZone),
            expires: formatInstant(session.expires, timeZone),
            current: session.isCurrent,
          }),
        );
        return { data };
      },
    }),
    DELETE: operation({
      operationId: 'endOtherSessions',
      summary: 'Ends all sessions but the one of this request.',
      status: 204,
      permission: 'changeAccount',
      handle: ({ viewer }, { database }) =>
        endOtherSessions(database, requireSignedIn(viewer), sessionHashOf(viewer)),
    }),
  },
  {
    path: '/api/v1/auth/sessions/:id/',
    pathParameters: {
      id: { description: 'The session’s id, a text.', example: '0123456789abcdef', ...anyText },
    },
    name: 'Session Instance',
    description: 'One of your sessions.',
    DELETE: operation({
      operationId: 'endSession',
      summary: 'Ends the session.',
      status: 204,
      permission: 'changeAccount',
      handle: ({ viewer, pathParameters }, { database }) =>
        endSession(database, requireSignedIn(viewer), pathParameters.id ?? ''),
    }),
  },
];
