// The command `clean-files`.

import { afterEach, beforeEach, expect, test } from 'bun:test';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { wordParts, zip } from '../../../test/support/documents.ts';
import { jpeg, photographer, withMetadata } from '../../../test/support/pictures.ts';
import { version } from '../package.json';

const main = join(import.meta.dir, '../src/main.ts');
let folder = '';
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'clean-files-'));
});
afterEach(() => rmSync(folder, { recursive: true }));

const write = (name: string, content: string | Uint8Array) => writeFileSync(join(folder, name), content);
const read = (name: string) => readFileSync(join(folder, name));

async function cleanFiles(...args: string[]) {
  const { exitCode, stdout, stderr } = await Bun.$`${process.execPath} ${main} ${args}`
    .cwd(folder)
    .nothrow()
    .quiet();
  return { code: exitCode, out: stdout.toString(), error: stderr.toString() };
}

test('a cleaned copy stands beside the file, or where it is wanted', async () => {
  const photo = withMetadata(await jpeg(60, 40), 6);
  write('photo.jpg', photo);
  expect(await cleanFiles('photo.jpg')).toEqual({ code: 0, out: 'photo.clean.jpg is written.\n', error: '' });
  expect([read('photo.jpg').equals(photo), read('photo.clean.jpg').includes(photographer)]).toEqual([
    true,
    false,
  ]);

  mkdirSync(join(folder, 'copies'));
  const copied = await cleanFiles('photo.jpg', 'copies/a.jpg');
  expect(copied).toEqual({ code: 0, out: 'copies/a.jpg is written.\n', error: '' });
  expect(read('copies/a.jpg').equals(read('photo.clean.jpg'))).toBe(true);
});

test('a mistake is one sentence, and nothing is written', async () => {
  write('photo.jpg', await jpeg(60, 40));
  write('other.jpg', 'mine');
  const mistakes: [args: string[], sentence: string][] = [
    [[], 'Name one file, and where its copy goes if not beside it.'],
    [['a', 'b', 'c'], 'Name one file, and where its copy goes if not beside it.'],
    [['--force', 'photo.jpg'], 'There is no option --force: see clean-files --help.'],
    [['nothing.jpg'], 'nothing.jpg cannot be read: there is no such file or folder.'],
    [['.'], '. cannot be read: it is a folder.'],
    [['photo.jpg', 'other.jpg'], 'other.jpg cannot be written: something is there already.'],
    [['photo.jpg', 'photo.jpg'], 'photo.jpg cannot be written: something is there already.'],
    [['photo.jpg', 'no/a.jpg'], 'no/a.jpg cannot be written: there is no such file or folder.'],
  ];
  for (const [args, sentence] of mistakes)
    expect(await cleanFiles(...args)).toEqual({ code: 2, out: '', error: `${sentence}\n` });
  expect(read('other.jpg').toString()).toBe('mine');
});

test('a file that cannot be cleaned has no copy', async () => {
  write('cut.jpg', (await jpeg(60, 40)).subarray(0, -2));
  write('a.bin', Buffer.from([0, 1, 2, 3]));
  write('notes.txt', 'hello');
  write('empty', '');
  write('macros.docx', zip({ ...wordParts(), 'word/vbaProject.bin': 'x' }));
  const problems = {
    'cut.jpg': 'The file is broken or cut off.',
    'a.bin': 'This kind of file is not known.',
    'notes.txt': 'All of a text or a program is content, so nothing is taken out.',
    empty: 'The file is empty.',
    'macros.docx': 'The document has macros.',
  };
  for (const [name, problem] of Object.entries(problems)) {
    expect(await cleanFiles(name, 'copy')).toEqual({ code: 1, out: '', error: `${name}: ${problem}\n` });
    expect(existsSync(join(folder, 'copy'))).toBe(false);
  }
});

test('the help and the version', async () => {
  const { code, out } = await cleanFiles('--help');
  expect([code, out.split('\n')[0]]).toEqual([0, 'Usage: clean-files FILE [COPY]']);
  expect(await cleanFiles('--version')).toEqual({ code: 0, out: `${version}\n`, error: '' });
});
