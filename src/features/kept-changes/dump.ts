import sql from 'sql-template-tag';
import { InvalidValue } from '#common/inputs.ts';
import { id, instant, type Member } from '../../core/dump/line-format.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { keptFields } from './kept-changes.ts';
import { keptChangesTable } from './tables.ts';

const changes: Member<string> = {
  read(value) {
    if (
      typeof value !== 'object' ||
      value === null ||
      Object.keys(value).some((name) => name !== 'files' && !Object.hasOwn(keptFields, name))
    )
      throw new InvalidValue('must be an object of members of a project');
    return JSON.stringify(value);
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
