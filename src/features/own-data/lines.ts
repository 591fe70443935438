// The lines that only a person's own data has.

import { apiText } from '#common/api-text.ts';
import { InvalidValue } from '#common/inputs.ts';
import type { Field, Fields } from '#rest/fields.ts';
import { StoredFile } from '#rest/stored-file.ts';
import { defineLine, id, type LineOf, optional, sha256, text } from '../../core/dump/line-format.ts';
import { sanitizeFileName } from '../../core/files/stored-files.ts';
import { ownDataType } from '../../projects/dump/kind.ts';
import type { Media } from '../../projects/media/media.ts';
import { importedLimits, linkPattern } from '../../projects/project.ts';

const url = text({ maxLength: 1000, pattern: [linkPattern, 'an http or https address'] });

/**
 * The first line of a person's own data, which `vitrine import` refuses: it is not the dump of a gallery. `gallery` is the
 * address of the gallery that wrote a ZIP.
 */
export const ownDataLine = defineLine(ownDataType, { contributor: id, gallery: optional(url) });

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

/** The texts of a source in a Markdown text: signs of Markdown in them are only signs. */
export const escapeSource = ({ title, name, url }: Source): Pick<Source, 'title' | 'name' | 'url'> => ({
  title: escapeMarkdown(title),
  name: escapeMarkdown(name),
  url,
});

const escapeMarkdown = (text: string) =>
  text.replace(/\s+/g, ' ').replace(/[\\`*_[\]<>~|]/g, (sign) => `\\${sign}`);

const archiveField: Field<StoredFile, true> = {
  label: 'ZIP',
  help: 'The ZIP that you downloaded, in a multipart form.',
  required: true,
  schema: { type: 'array', maxItems: 1, items: { type: 'string', format: 'binary' } },
  accept: '.zip,application/zip',
  read(value) {
    const [file, another] = [value].flat();
    if (!(file instanceof StoredFile) || another !== undefined)
      throw new InvalidValue('Send one ZIP in a multipart form.');
    if (file.size === 0) throw new InvalidValue(apiText('noFile'));
    return file;
  },
};

export const importFields = { file: archiveField } satisfies Fields;

// The paths of files in the ZIP of a person's own data.

export const indexPath = 'index.html';
export const dataPath = 'data.ndjson';
export const avatarPath = 'files/avatar.webp';

/** With four bytes each, an extension and a number, they fit the 255 bytes of a name on every file system. */
const maxStemLength = 50;

/** The number comes first: no name is one that Windows reserves, and no two differ only in case. */
export function filePath({ project, number, name, type }: Media): string {
  const safeName = sanitizeFileName(name, type);
  const dot = safeName.lastIndexOf('.');
  const stem = [...safeName.slice(0, dot)].slice(0, maxStemLength).join('').trimEnd();
  return `files/${project}/${number}-${stem}${safeName.slice(dot)}`;
}
