// /api/v1/me/ and /api/v1/me/dump/: whoever is signed in, and all that is theirs.

import { z } from 'zod';
import { readFields } from '../fields.ts';
import { leave, leavingFields } from '../gallery/accounts/leave.ts';
import { confirmPassword } from '../gallery/accounts/sign-in.ts';
import { nameFields } from '../gallery/accounts/sign-up.ts';
import { takeAway } from '../gallery/accounts/take-away.ts';
import type { Contributor } from '../gallery/contributors/contributor.ts';
import { findContributor } from '../gallery/contributors/find.ts';
import { rename } from '../gallery/contributors/rename.ts';
import { signedIn } from '../gallery/projects/change.ts';
import { roles, type Viewer } from '../gallery/viewer.ts';
import type { Call, Operation, Resource } from '../rest/resource.ts';
import { contributorAnswer, shown } from './contributors.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { transactOnce } from './transact.ts';

export const meAnswer = z
  .object({ ...contributorAnswer.shape, role: z.enum(roles), may_write: z.boolean() })
  .meta({ id: 'Me', description: 'Whoever is signed in, and what they may do.' });

export function meResources(parts: ApiParts): Resource<Viewer>[] {
  const { database, files, accounts, timeZone } = parts;
  const told = ({ base, viewer }: Call<Viewer>, person: Contributor) => ({
    data: { ...shown(person, base, timeZone), role: viewer.role, may_write: viewer.writes },
  });
  const renaming = (summary: string): Operation<Viewer> => ({
    summary,
    fields: nameFields,
    permission: needs('changeAccount'),
    answer: meAnswer,
    handle: (call) =>
      transactOnce(database, call, async (act) => {
        const names = readFields(nameFields, call.body.data, { partial: true, strict: call.strict });
        return told(call, await rename(act, names));
      }),
  });

  return [
    {
      path: '/api/v1/me/',
      name: 'Me',
      description: 'Whoever is signed in.',
      operations: {
        GET: {
          summary: 'Who is signed in.',
          permission: needs('seeAccount'),
          answer: meAnswer,
          handle: async (call) => told(call, await findContributor(database, signedIn(call.viewer))),
        },
        PUT: renaming('Changes the names of whoever is signed in.'),
        PATCH: renaming('Changes some of the names of whoever is signed in.'),
        DELETE: {
          summary: 'Deletes the account. What they made stays under a name without a person, or goes too.',
          fields: leavingFields,
          permission: needs('changeAccount'),
          status: 204,
          async handle(call) {
            const { items = 'keep', password } = readFields(leavingFields, call.body.data, {
              strict: call.strict,
            });
            const contributor = signedIn(call.viewer);
            await confirmPassword(accounts, contributor, password, call.client);
            return transactOnce(database, call, async ({ transaction, changeSet }) => {
              await leave(transaction, changeSet, contributor, items);
              return { status: 204 };
            });
          },
        },
      },
    },
    {
      path: '/api/v1/me/dump/',
      name: 'My Dump',
      description: 'Everything of whoever is signed in, as lines of a dump.',
      operations: {
        GET: {
          summary: 'A file to take away.',
          permission: needs('seeAccount'),
          async handle({ viewer }) {
            const lines = await takeAway(database, files, signedIn(viewer));
            return {
              stream: { type: 'application/x-ndjson', body: () => streamOf(lines) },
              headers: { 'Content-Disposition': 'attachment; filename="my-gallery.ndjson"' },
            };
          },
        },
      },
    },
  ];
}

/** No more is made than is taken. */
function streamOf(lines: AsyncGenerator<string>): ReadableStream {
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
