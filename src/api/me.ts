// /api/v1/me/ and /api/v1/me/dump/: the signed-in viewer's account and data.

import { z } from 'zod';
import { readFields } from '../fields.ts';
import { accountDeletionFields, deleteAccount } from '../gallery/accounts/delete.ts';
import { exportOwnData } from '../gallery/accounts/export-own-data.ts';
import { confirmPassword } from '../gallery/accounts/sign-in.ts';
import { nameFields } from '../gallery/accounts/sign-up.ts';
import type { Contributor } from '../gallery/contributors/contributor.ts';
import { findContributor } from '../gallery/contributors/find.ts';
import { renameContributor } from '../gallery/contributors/rename.ts';
import { requireSignedIn } from '../gallery/projects/change.ts';
import { roles, type Viewer } from '../gallery/viewer.ts';
import type { Operation, OperationContext, Resource } from '../rest/resource.ts';
import { contributorSchema, serializeContributor } from './contributors.ts';
import type { ApiDependencies } from './index.ts';
import { requirePermission } from './require-permission.ts';
import { transactOnce } from './transact.ts';

export const meSchema = z
  .object({ ...contributorSchema.shape, role: z.enum(roles), may_write: z.boolean() })
  .meta({ id: 'Me', description: 'The signed-in contributor and their role.' });

export function meResources(deps: ApiDependencies): Resource<Viewer>[] {
  const { database, files, accounts, timeZone } = deps;
  const toResult = ({ origin, viewer }: OperationContext<Viewer>, self: Contributor) => ({
    data: {
      ...serializeContributor(self, origin, timeZone),
      role: viewer.role,
      may_write: viewer.canWrite,
    },
  });
  const renameOperation = (summary: string): Operation<Viewer> => ({
    summary,
    fields: nameFields,
    checkPermission: requirePermission('changeAccount'),
    responseSchema: meSchema,
    handle: (context) =>
      transactOnce(database, context, async (write) => {
        const names = readFields(nameFields, context.body.data, {
          isPartial: true,
          isStrict: context.isStrict,
        });
        return toResult(context, await renameContributor(write, names));
      }),
  });

  return [
    {
      path: '/api/v1/me/',
      name: 'Me',
      description: 'Your own account.',
      operations: {
        GET: {
          summary: 'The signed-in contributor.',
          checkPermission: requirePermission('seeAccount'),
          responseSchema: meSchema,
          handle: async (context) =>
            toResult(context, await findContributor(database, requireSignedIn(context.viewer))),
        },
        PUT: renameOperation('Changes your names.'),
        PATCH: renameOperation('Changes some of your names.'),
        DELETE: {
          summary: 'Deletes your account. Your projects stay under a placeholder name, or are deleted too.',
          fields: accountDeletionFields,
          checkPermission: requirePermission('changeAccount'),
          status: 204,
          async handle(context) {
            const { items = 'keep', password } = readFields(accountDeletionFields, context.body.data, {
              isStrict: context.isStrict,
            });
            const contributor = requireSignedIn(context.viewer);
            await confirmPassword(accounts, contributor, password, context.clientAddress);
            return transactOnce(database, context, async ({ transaction, changeSet }) => {
              await deleteAccount(transaction, changeSet, contributor, items);
              return { status: 204 };
            });
          },
        },
      },
    },
    {
      path: '/api/v1/me/dump/',
      name: 'My Dump',
      description: 'All your data, as lines of a dump.',
      operations: {
        GET: {
          summary: 'A file to download.',
          checkPermission: requirePermission('seeAccount'),
          async handle({ viewer }) {
            const lines = await exportOwnData(database, files, requireSignedIn(viewer));
            return {
              stream: { type: 'application/x-ndjson', body: () => toStream(lines) },
              headers: { 'Content-Disposition': 'attachment; filename="my-gallery.ndjson"' },
            };
          },
        },
      },
    },
  ];
}

/** Generates lines only as fast as the client reads them. */
function toStream(lines: AsyncGenerator<string>): ReadableStream {
  const encoder = new TextEncoder();
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await lines.next();
      if (done) controller.close();
      else controller.enqueue(encoder.encode(value));
    },
    async cancel() {
      await lines.return(undefined);
    },
  });
}
