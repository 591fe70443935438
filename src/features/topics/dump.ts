import { id, nullable, text, trimmedText } from '../../core/dump/line-format.ts';
import { tableKind } from '../../projects/dump/table-kind.ts';
import { importedLimits } from '../../projects/project.ts';
import { topicTable } from './tables.ts';
import { topicLimits } from './topic.ts';

export const topicKind = tableKind(
  topicTable,
  {
    tag_key: trimmedText({ maxLength: importedLimits.tag }),
    text: text({ maxLength: topicLimits.text }),
    picture: nullable(id),
  },
  { ownData: false, describeChange: () => ({ subject: 0 }), rights: 'none' },
);
