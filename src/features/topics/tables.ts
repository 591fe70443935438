import { integer, nullable, text } from '#sql';
import { table } from '../../core/declare-table.ts';

/** The sentence about a tag, and the project whose picture stands beside it: it may be gone or hidden since. */
export const topicTable = table('topic', ['tag_key'], {
  tag_key: text(),
  text: text(),
  picture: nullable(integer()),
});
