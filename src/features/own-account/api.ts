// /api/v1/me/: the signed-in viewer's account.

import { z } from 'zod';
import { signOutHeaders } from '#rest/authentication.ts';
import type { Operation } from '#rest/resource.ts';
import type { Reader } from '#sql';
import { findEmail } from '../../core/accounts/email.ts';
import { type ApiResource, operation } from '../../core/api/operation.ts';
import { loadUsage } from '../../core/changes/usage.ts';
import { transactOnce } from '../../core/changes/write.ts';
import { type FullContributor, shownNameField, shownNames } from '../../core/contributors/contributor.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { requireSignedIn, roles, type Viewer } from '../../core/viewer/viewer.ts';
import { contributorSchema, serializeContributor } from '../../projects/api/contributor-serializer.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import { accountDeletionFields, deleteAccount } from '../../projects/people/delete.ts';
import { renameContributor } from '../../projects/people/rename.ts';
import { changeEmail, emailFields, readNewEmail } from '../sign-in/email/email.ts';
import { confirmPassword, confirmPasswordOrSession } from '../sign-in/sign-in.ts';
import { nameFields } from '../sign-in/sign-up.ts';

const resourceSchema = z.object({ used: z.int(), quota: z.int().nullable() });
const usageSchema = z.object({ projects: resourceSchema, file_bytes: resourceSchema }).meta({
  id: 'Usage',
  description: 'What the account stores, and how much it may store; null for no limit.',
});

const meSchema = z
  .object({
    ...contributorSchema.shape,
    shown_name: z.enum(shownNames),
    email: z.string().nullable().describe('The confirmed email address. Only you see it.'),
    pending_email: z.string().nullable().describe('An email address that is not confirmed yet.'),
    role: z.enum(roles),
    may_write: z.boolean(),
    usage: usageSchema,
  })
  .meta({ id: 'Me', description: 'The signed-in contributor and their role.' });

/** Omitted names stay with PUT too. */
const renameOperation = (about: Pick<Operation<Viewer>, 'operationId' | 'summary'>) =>
  operation({
    ...about,
    fields: { ...nameFields, ...shownNameField, ...emailFields },
    permission: 'changeAccount',
    responseSchema: meSchema,
    async handle(context, { database, timeZone, accounts }) {
      const { email, password, ...names } = context.readValues();
      const contributor = requireSignedIn(context.viewer);
      const newEmail = await readNewEmail(accounts, context, { email, password });
      return updateAfter(database, contributor, () =>
        transactOnce(
          database,
          context,
          async (write) => {
            const self = await renameContributor(write, names);
            if (newEmail !== undefined) await changeEmail(write, contributor, newEmail, context.language);
            return { data: await serializeMe(write.transaction, self, context, timeZone) };
          },
          { changesActor: newEmail !== undefined },
        ),
      );
    },
  });

const meResource: ApiResource = {
  path: '/api/v1/me/',
  name: 'Me',
  description: 'Your own account.',
  GET: operation({
    operationId: 'getMe',
    summary: 'The signed-in contributor, with what they store.',
    permission: 'seeAccount',
    responseSchema: meSchema,
    async handle(context, { database, timeZone }) {
      const self = await loadContributor(database, requireSignedIn(context.viewer));
      return { data: await serializeMe(database, self, context, timeZone) };
    },
  }),
  PUT: renameOperation({
    operationId: 'replaceMe',
    summary: 'Changes your names, and who sees them.',
  }),
  PATCH: renameOperation({
    operationId: 'updateMe',
    summary: 'Changes some of your names, or who sees them.',
  }),
  DELETE: operation({
    operationId: 'deleteMe',
    summary: 'Deletes your account. Your projects stay under a placeholder name, or are deleted too.',
    fields: accountDeletionFields,
    permission: 'changeAccount',
    status: 204,
    async handle(context, { database, accounts, authenticator }) {
      const { items, password } = context.readValues();
      const contributor = requireSignedIn(context.viewer);
      if (accounts.allowsPasswords) await confirmPassword(accounts, contributor, password, context.client);
      else await confirmPasswordOrSession(accounts, context.viewer, password, context.client);
      await updateAfter(database, contributor, () =>
        transactOnce(database, context, (write) => deleteAccount(write, contributor, items), {
          changesActor: true,
        }),
      );
      if (context.viewer.credential?.kind !== 'session') return undefined;
      const cookies = authenticator.buildSignOutCookies(context.origin);
      return { cookies, headers: signOutHeaders };
    },
  }),
};

export const resources = [meResource];

async function serializeMe(
  reader: Reader,
  self: FullContributor,
  { viewer: { role, canWrite, quotas }, origin }: { readonly viewer: Viewer; readonly origin: string },
  timeZone: string,
): Promise<z.input<typeof meSchema>> {
  const usage = await loadUsage(reader, self.id);
  const { address = null, pending = null } = (await findEmail(reader, self.id)) ?? {};
  return {
    ...serializeContributor(self, origin, timeZone),
    shown_name: self.shown_name,
    email: address,
    pending_email: pending,
    role,
    may_write: canWrite,
    usage: {
      projects: { used: usage.projects, quota: quotas?.projects ?? null },
      file_bytes: { used: usage.file_bytes, quota: quotas?.file_bytes ?? null },
    },
  };
}
