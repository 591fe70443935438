// The lines that only a person's own data has.

import { defineLine, type LineOf } from '../../gallery/line-format.ts';
import { id, optional, sha256, text } from '../../gallery/line-members.ts';
import { importedLimits, linkPattern } from '../../gallery/projects/project.ts';

const url = text({ maxLength: 1000, pattern: [linkPattern, 'an http or https address'] });

/**
 * The first line of a person's own data, which `vitrine import` refuses: it is not the dump of a gallery. `gallery` is the
 * address of the gallery that wrote a ZIP.
 */
export const ownDataLine = defineLine('own-data', { contributor: id, gallery: optional(url) });

/** Where the ZIP has the largest size of a file. */
export const fileLine = defineLine('file', {
  hash: sha256('a SHA-256'),
  path: text({ minLength: 1, maxLength: 500 }),
});

/** A project of somebody else that a remix or a comment is about. */
export const sourceLine = defineLine('source', {
  id,
  title: text({ maxLength: importedLimits.title }),
  name: text({ maxLength: 500 }),
  url,
});

export type Source = LineOf<typeof sourceLine>;
