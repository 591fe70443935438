import sql from 'sql-template-tag';
import { InvalidValue } from '#common/inputs.ts';
import { count, id, instant, type Member, objects, oneOf, text } from '../../core/dump/line-format.ts';
import { mediaLimits } from '../../core/files/stored-files.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { focuses } from '../../projects/media/focus.ts';
import { keptFields } from './kept-changes.ts';
import type { FilePlan } from './kept-files.ts';
import { keptChangesTable } from './tables.ts';

const planned = objects(
  {
    number: id,
    alt: text({ maxLength: mediaLimits.alt }),
    focus: oneOf(focuses),
  },
  { minItems: 0, maxItems: 2 * mediaLimits.files },
);

function readPlan(value: unknown): FilePlan {
  const { files, last } = Object(value) as Record<string, unknown>;
  const plan = { files: planned.read(files), last: count.read(last) };
  if (new Set(plan.files.map(({ number }) => number)).size < plan.files.length)
    throw new InvalidValue('files: must not hold one number twice');
  return plan;
}

const changes: Member<string> = {
  read(value) {
    if (
      typeof value !== 'object' ||
      value === null ||
      Object.keys(value).some((name) => name !== 'files' && !Object.hasOwn(keptFields, name))
    )
      throw new InvalidValue('must be an object of members of a project');
    const { files, ...members } = value as { readonly files?: unknown };
    return JSON.stringify({ ...members, ...(files !== undefined && { files: readPlan(files) }) });
  },
  write: (members) => JSON.parse(members),
  schema: { type: 'object' },
};

export const keptChangesKind = tableKind(
  keptChangesTable,
  { project: id, contributor: id, members: changes, since: instant, modified: instant },
  {
    // Not for parents.
    ownData: {
      rows: (contributor, viewer) => (viewer.seesNoCopies ? sql`1 = 0` : sql`contributor = ${contributor}`),
    },
    describeChange: null,
    // Their owner reads them, and may publish them.
    rights: {
      name: 'owner or text',
      columns: ['contributor', 'members'],
      isFree: (context, { project }) => context.isNewProject(project),
    },
  },
);
