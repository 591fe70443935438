// Imports a table of projects. All of it is checked first; then each project is created in a transaction of its own, and one
// that exists already is left as it is: the same table can be imported again.

import { existsSync, realpathSync, statSync } from 'node:fs';
import { basename, join, sep } from 'node:path';
import sql from 'sql-template-tag';
import { Invalid } from '#common/errors.ts';
import { readPartially } from '#rest/fields.ts';
import { all, type Database, exists, first, integer, type Reader } from '#sql';
import { insertContributor } from '../../core/accounts/change-account.ts';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import { transact, type Write } from '../../core/changes/transact.ts';
import { type ShownName, usernameKey } from '../../core/contributors/contributor.ts';
import { checkUpload, prepareUploads, tooManyFiles } from '../../core/files/prepare.ts';
import type { FileStore } from '../../core/files/store.ts';
import { mediaLimits } from '../../core/files/stored-files.ts';
import { now } from '../../core/instant.ts';
import { draft, published } from '../../core/project-status.ts';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { deriveUuid, toSlug } from '../../projects/address.ts';
import { forEverybody } from '../../projects/visibility/made-for-a-group.ts';
import { importProject } from '../../projects/writing/create.ts';
import { insertFiles } from '../../projects/writing/files.ts';
import { nameFields } from '../sign-in/sign-up.ts';
import type { Table, TableRow } from './read-table.ts';
import { fileNamesOf, readValues } from './values.ts';

export interface TableImport {
  readonly database: Database;
  readonly files: FileStore;
  /** Where the files are that the table names. */
  readonly folder: string;
  /** Makes the uuids, by which a project that was imported is recognized. */
  readonly secret: string;
  /** The username for projects without a name; empty for none. */
  readonly owner: string;
  readonly shownName: ShownName;
  readonly isPublished: boolean;
  report(done: number): void;
}

/** The ids of the contributors by the names in the table: searching for a whole name reads all contributors. */
type Owners = Map<string, number>;

export interface Problem {
  readonly line: number;
  readonly text: string;
}

export interface TableResult {
  readonly imported: number;
  readonly existing: number;
  /** Nothing is imported, or the projects of these lines are left out. */
  readonly problems: readonly Problem[];
}

/** Opens each file too, which takes long for many pictures. */
export async function checkTable(deps: TableImport, { rows }: Table): Promise<TableResult> {
  const problems = await findProblems(deps, rows);
  let existing = 0;
  const wrongLines = new Set(problems.map(({ line }) => line));
  for (const [index, row] of rows.entries()) {
    deps.report(index);
    if (await isImported(deps, deps.database, row)) existing++;
    else if (!wrongLines.has(row.line))
      problems.push(
        ...(await collectProblems(row, async () => {
          for (const file of await loadFiles(deps, row)) await checkUpload(file);
        })),
      );
  }
  return { imported: 0, existing, problems };
}

/** Imports nothing if anything is wrong that can be seen without opening the files. */
export async function importTable(deps: TableImport, { rows }: Table): Promise<TableResult> {
  const problems = await findProblems(deps, rows);
  if (problems.length > 0) return { imported: 0, existing: 0, problems };
  let [imported, existing] = [0, 0];
  const owners: Owners = new Map();
  for (const [index, row] of rows.entries()) {
    deps.report(index);
    if (await isImported(deps, deps.database, row)) existing++;
    else
      problems.push(
        ...(await collectProblems(row, async () => {
          await importRow(deps, row, owners);
          imported++;
        })),
      );
  }
  return { imported, existing, problems };
}

async function findProblems(deps: TableImport, rows: readonly TableRow[]): Promise<Problem[]> {
  const problems: Problem[] = [];
  const lines = new Map<string, number>();
  const checkedNames = new Set<string>();
  for (const row of rows) {
    const same = lines.get(keyOf(row));
    if (same) problems.push({ line: row.line, text: `the same project is in line ${same}` });
    else lines.set(keyOf(row), row.line);
    problems.push(
      ...(await collectProblems(row, async () => {
        readValues(row);
        findPaths(deps, row);
        if (checkedNames.has(row.name)) return;
        await findOwner(deps, deps.database, row);
        checkedNames.add(row.name);
      })),
    );
  }
  return problems;
}

async function collectProblems({ line }: TableRow, work: () => Promise<unknown>): Promise<Problem[]> {
  try {
    await work();
    return [];
  } catch (error) {
    if (!(error instanceof Invalid)) throw error;
    return Object.entries(error.messages).map(([name, texts]) => ({
      line,
      text: `${name}: ${texts.join(' ')}`,
    }));
  }
}

const keyOf = ({ id, title, name, date, link, file }: TableRow): string =>
  id === '' ? JSON.stringify([title, name, date, link, file]) : `id ${id}`;

const uuidOf = ({ secret }: TableImport, row: TableRow) => deriveUuid(secret, `table ${keyOf(row)}`);

const isImported = (deps: TableImport, reader: Reader, row: TableRow): Promise<boolean> =>
  exists(reader, sql`from project where uuid = ${uuidOf(deps, row)}`);

/** Only files in the folder: a table of somebody else must not publish what else is on the machine. */
function findPaths({ folder }: TableImport, row: TableRow): string[] {
  const root = existsSync(folder) ? join(realpathSync(folder), sep) : '';
  const names = fileNamesOf(row);
  if (names.length > mediaLimits.files) throw new Invalid({ file: [tooManyFiles] });
  return names.map((name) => {
    const path = join(folder, name);
    const isFile = root !== '' && existsSync(path) && statSync(path).isFile();
    if (isFile && realpathSync(path).startsWith(root)) return path;
    throw new Invalid({ file: [`“${name}” is not in ${folder}.`] });
  });
}

const loadFiles = async (deps: TableImport, row: TableRow): Promise<File[]> =>
  Promise.all(
    findPaths(deps, row).map(async (path) => new File([await Bun.file(path).bytes()], basename(path))),
  );

async function importRow(deps: TableImport, row: TableRow, owners: Owners): Promise<void> {
  const { database } = deps;
  const { values, created = now() } = readValues(row);
  const prepared = await prepareUploads(deps, anonymous, await loadFiles(deps, row));
  const owner = await transact(database, null, async (write) => {
    if (await isImported(deps, write.transaction, row)) return undefined;
    const contributor =
      owners.get(row.name) ??
      (await findOwner(deps, write.transaction, row)) ??
      (await addOwner(write, row, deps.shownName));
    const viewer: Viewer = { ...anonymous, contributor, canWrite: true };
    const origin = {
      uuid: uuidOf(deps, row),
      created,
      modified: created,
      copied_from: null,
      source_license: null,
      ...forEverybody,
    };
    const status = deps.isPublished ? published : draft;
    const project = await importProject({ ...write, viewer }, values, { ...origin, status });
    await insertFiles({ ...write, viewer }, project, prepared, []);
    return contributor;
  });
  if (owner !== undefined) owners.set(row.name, owner);
}

const idColumn = { id: integer() };

/** By username, or by the whole name if one person has it. Undefined for somebody new. */
async function findOwner(deps: TableImport, reader: Reader, { name }: TableRow): Promise<number | undefined> {
  const { owner } = deps;
  if (/\p{Cc}/u.test(name)) throw new Invalid({ name: ['The name has control characters.'] });
  const key = usernameKey(name || owner);
  if (key === '') throw new Invalid({ name: ['The project has no name: --as says whose it is then.'] });
  const known = await first(reader, idColumn)`from contributor where username_key = ${key}`;
  if (known) return requireFree(deps, reader, known.id);
  if (name === '') throw new Invalid({ name: [`There is nobody with the username ${owner}.`] });
  const { first_name, last_name } = splitName(name);
  const named = await all(reader, idColumn)`from contributor
    where first_name || hidden_first_name = ${first_name} and last_name || hidden_last_name = ${last_name} limit 2`;
  if (named.length > 1)
    throw new Invalid({ name: [`Several people have the name ${name}: write the username.`] });
  return named[0] && requireFree(deps, reader, named[0].id);
}

/** Projects of children are reviewed before others see them. */
async function requireFree({ isPublished }: TableImport, reader: Reader, id: number): Promise<number> {
  if (isPublished && (await isLookedAfter(reader, id)))
    throw new Invalid({
      name: ['A class looks after this account: its projects can only be imported as drafts.'],
    });
  return id;
}

/** Without an account. An admin can give them one. */
async function addOwner(write: Write, { name }: TableRow, shownName: ShownName): Promise<number> {
  const { transaction } = write;
  // Accounts that were deleted have names that begin so.
  const base = toSlug(name)
    .slice(0, 100)
    .replace(/^deleted-/, 'maker-');
  let username = base;
  for (
    let number = 2;
    await exists(transaction, sql`from contributor where username_key = ${username}`);
    number++
  )
    username = `${base}-${number}`;
  return insertContributor(write, { username, ...splitName(name) }, shownName);
}

function splitName(name: string) {
  const [, last, first] = /^([^,]+),\s*(.+)$/.exec(name) ?? [];
  const ordered = last && first ? `${first} ${last}` : name;
  const space = ordered.lastIndexOf(' ');
  const { first_name = '', last_name = '' } = readPartially(nameFields, {
    first_name: ordered.slice(0, Math.max(0, space)).trim(),
    last_name: ordered.slice(space + 1),
  });
  return { first_name, last_name };
}
