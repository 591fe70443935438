// /api/v1/auth/invitations/: moderators create invitations to sign up.

import { z } from 'zod';
import { formatInstant } from '../../gallery/instant.ts';
import { createInvitations } from '../../gallery/sign-in/invitations.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import type { AuthDependencies } from '../dependencies.ts';
import { operation } from '../operation.ts';
import { timestampSchema } from '../timestamp.ts';
import { noStore } from './token.ts';

export const invitationSchema = z
  .object({ invitation: z.string().describe('It is never shown again.'), expires: timestampSchema })
  .meta({ id: 'Invitation', description: 'Lets one person sign up.' });

export function invitationsResource({
  accounts: { database },
  timeZone,
}: AuthDependencies): Resource<Viewer> {
  return {
    path: '/api/v1/auth/invitations/',
    name: 'Invitation List',
    description: 'Invitations to sign up: each is valid for one person and for 14 days.',
    operations: {
      POST: operation({
        operationId: 'createInvitation',
        summary: 'Creates an invitation.',
        status: 201,
        permission: 'invite',
        fields: {},
        responseSchema: invitationSchema,
        async handle({ viewer }) {
          const { secrets, expires } = await createInvitations(database, viewer.contributor);
          const data = { invitation: secrets[0], expires: formatInstant(expires, timeZone) };
          return { status: 201, data, headers: noStore };
        },
      }),
    },
  };
}
