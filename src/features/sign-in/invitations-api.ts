// /api/v1/auth/invitations/: moderators create invitations to sign up.

import { z } from 'zod';
import { type ApiResource, noStore, operation } from '../../core/api/operation.ts';
import { timestampSchema } from '../../core/api/schemas.ts';
import { formatInstant } from '../../core/instant.ts';
import { createInvitations } from './invitation.ts';

const invitationSchema = z
  .object({ invitation: z.string().describe('It is never shown again.'), expires: timestampSchema })
  .meta({ id: 'Invitation', description: 'Lets one person sign up.' });

const invitationsResource: ApiResource = {
  path: '/api/v1/auth/invitations/',
  name: 'Invitation List',
  description: 'Invitations to sign up: each is valid for one person and for 14 days.',
  POST: operation({
    operationId: 'createInvitation',
    summary: 'Creates an invitation.',
    status: 201,
    permission: 'invite',
    fields: {},
    responseSchema: invitationSchema,
    async handle({ viewer }, { database, timeZone }) {
      const { secrets, expires } = await createInvitations(database, viewer.contributor);
      const data = { invitation: secrets[0], expires: formatInstant(expires, timeZone) };
      return { data, headers: noStore };
    },
  }),
};

export const resources = [invitationsResource];
