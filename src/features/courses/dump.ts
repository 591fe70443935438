import { id, sha256, text } from '../../core/dump/line-format.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { maxCourseName } from './course.ts';
import { courseTable } from './tables.ts';

export const courseKind = tableKind(
  courseTable,
  {
    name: text({ minLength: 1, maxLength: maxCourseName, isSingleLine: true }),
    collection: id,
    consent: sha256('the SHA-256 of the wording of the consent'),
  },
  {
    ownData: false,
    describeChange: null,
    rights: {
      name: 'class',
      columns: ['collection', 'consent'],
      isFree: async (context, { collection }) => context.isNewProject(collection),
    },
  },
);
