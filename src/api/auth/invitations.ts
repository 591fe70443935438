// /api/v1/auth/invitations/: an invitation to sign up, made by a moderator.

import { z } from 'zod';
import { makeInvitation } from '../../gallery/accounts/invitations.ts';
import { formatInstant } from '../../gallery/instant.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { Resource } from '../../rest/resource.ts';
import { needs } from '../needs.ts';
import type { AuthParts } from './index.ts';
import { secret } from './token.ts';

export const invitationSchema = z
  .object({ invitation: z.string().describe('Shown this once.'), expires: z.string() })
  .meta({ id: 'Invitation', description: 'Lets one person sign up.' });

export function invitationsResource({ accounts: { database }, timeZone }: AuthParts): Resource<Viewer> {
  return {
    path: '/api/v1/auth/invitations/',
    name: 'Invitation List',
    description: 'Invitations to sign up: each is good for one person and for 14 days.',
    operations: {
      POST: {
        summary: 'Makes an invitation.',
        status: 201,
        permission: needs('invite'),
        fields: {},
        answer: invitationSchema,
        async handle({ viewer }) {
          const { secret: invitation, expires } = await makeInvitation(database, viewer.contributor);
          const data = { invitation, expires: formatInstant(expires, timeZone) };
          return { status: 201, data, headers: secret };
        },
      },
    },
  };
}
