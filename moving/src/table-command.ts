// `vitrine-moving table`: an export of another program as a table for `vitrine import-table`.

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { OperatorError } from '../../packages/common/src/errors.ts';
import { listFormats } from '../../packages/rest/src/list-formats.ts';
import { defineCommand, printMessage } from '../../src/core/commands/command.ts';
import { defineSetting } from '../../src/core/settings/setting-values.ts';
import { requireReadable } from '../../src/features/export-import/dump-file.ts';
import { type Export, type ExportedProject, readExport } from './exports.ts';

export const tableSettings = {
  to: defineSetting({
    flag: 'to',
    placeholder: 'FILE',
    variable: 'VITRINE_TABLE_TO',
    fallback: 'projects.csv',
    help: 'The table to write.',
    read: String,
  }),
};

const { formatHeader, formatRecord } = listFormats.csv;
const columns = ['id', 'title', 'text', 'name', 'date', 'tags', 'file', 'link'].map((name) => [name]);

export const tableCommand = defineCommand({
  usage: 'table EXPORT',
  help: 'Makes a table for vitrine import-table of an export of WordPress, Ghost or Omeka, or of a feed.',
  examples: ['vitrine-moving table wordpress.xml --to projects.csv'],
  settings: [],
  moreSettings: tableSettings,
  operand: 'a file with an export',
  async run({ to }, file) {
    requireReadable(file);
    const found = read(file);
    if (existsSync(to)) throw new OperatorError(`There is a file ${to} already: say another one with --to.`);
    writeFileSync(
      to,
      formatHeader(columns) +
        found.projects.map((project) => formatRecord(toRecord(project), columns)).join(''),
    );
    printMessage(`${to} has ${found.projects.length} projects of ${found.program}.`);
    if (found.leftOut) printMessage(`${found.leftOut} that not everybody could read were left out.`);
    if (found.folder)
      printMessage(`Files are named as in ${found.folder}: copy that folder, and name it with --folder.`);
    return 0;
  },
});

function read(file: string): Export {
  let found: Export | undefined;
  try {
    found = readExport(decode(readFileSync(file)));
  } catch (error) {
    throw new OperatorError(`${file} cannot be read: ${error instanceof Error ? error.message : error}.`);
  }
  if (!found) throw new OperatorError(`${file} is no export of WordPress, Ghost or Omeka, and no feed.`);
  return found;
}

/** XML says how it is written; all else is UTF-8. */
function decode(bytes: Buffer): string {
  const [, encoding = 'utf-8'] =
    /^<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(bytes.toString('latin1', 0, 200)) ?? [];
  return new TextDecoder(encoding as 'utf-8', { fatal: true }).decode(bytes);
}

const toRecord = ({ title, tags, files, ...project }: ExportedProject) => ({
  ...project,
  title: title || 'Untitled',
  tags: tags.map((tag) => tag.trim().replaceAll(',', ' ')).join(','),
  file: files.join('|'),
});
