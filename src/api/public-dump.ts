// The content of the public dump: the records of all public projects as the API lists them for visitors, the oldest first.

import type { Database } from '../database/database.ts';
import { oldestFirst } from '../gallery/projects/order.ts';
import type { ProjectFinder } from '../gallery/projects/reading/find.ts';
import { anonymous } from '../gallery/viewer.ts';
import { listRecords } from './projects.ts';

const include = ['content_type', 'contributor', 'parent', 'media', 'link'];

/** The URLs have no origin: one gallery may have several hosts. */
export const generatePublicDump = (deps: {
  readonly database: Database;
  readonly projects: ProjectFinder;
  readonly timeZone: string;
}) =>
  listRecords(
    deps,
    { origin: '', parameters: { include, fields: undefined } },
    deps.projects.list(anonymous, new Map(), oldestFirst),
  ).wholeList().batches;
