// The columns of a project that clients write.

import { aspectOf, type ProjectValues, type WrittenName, writtenMembers, writtenNames } from './fields.ts';
import type { ProjectRow } from './project.ts';
import { formatTags, parseTags } from './tags.ts';

type WrittenColumns = Pick<ProjectRow, WrittenName>;

/** Of a project that is made without any values. */
export const initialColumns: Readonly<WrittenColumns> = aspectOf('initial');

/** The columns of the values that were sent. */
export const toColumns = ({ tags, ...values }: ProjectValues): Partial<WrittenColumns> => ({
  ...values,
  ...(tags && { tags: formatTags(tags) }),
});

const copiedNames = writtenNames.filter((name) => writtenMembers[name].isCopied);

/** What a copy takes over. */
export const copiedColumns = (source: WrittenColumns): Partial<WrittenColumns> =>
  Object.fromEntries(copiedNames.map((name) => [name, source[name]]));

/**
 * Whether a member is sent as it is stored. What an import brought may break the rules for writing, and it can be sent
 * back. Forms send a line break as LF, and a field of one line has none.
 */
export function isAsStored(
  stored: Pick<ProjectRow, 'title' | 'text' | 'tags'>,
  name: string,
  value: unknown,
): boolean {
  if (name === 'text') return value === stored.text || value === stored.text.replace(/\r\n?/g, '\n');
  if (name !== 'title' && name !== 'tags') return false;
  if (Array.isArray(value)) return name === 'tags' && Bun.deepEquals(value, parseTags(stored));
  return value === stored[name] || value === stored[name].replace(/[\r\n]/g, '');
}
