import type { Database } from '#sql';
import {
  defineCommand,
  isDone,
  plural,
  printGallery,
  printMessage,
  runStoppableJob,
} from '../../core/commands/command.ts';
import { openDatabaseAndFiles } from '../../core/commands/open-files.ts';
import { createProgressBar } from '../../core/commands/progress-bar.ts';
import type { FileStore } from '../../core/files/store.ts';
import type { Settings } from '../../core/settings/settings.ts';
import { estimateLineCount } from '../export-import/export.ts';
import { requireEmpty } from '../export-import/import.ts';
import { deleteOldBackups } from './keep.ts';
import { makeBackup } from './make-backup.ts';
import { createKeyFiles, type Manifest, readPrivateKey, readPublicKey } from './manifest.ts';
import { recordOrigin } from './origins.ts';
import { type BackupPlace, type FoundBackup, findBackup, openPlace } from './place.ts';
import { describeUnreadable, restoreBackup, surveyPlace, unreadableAdvice } from './read-backup.ts';
import { verifyBackup } from './verify.ts';

export const backupKeyCommand = defineCommand({
  usage: 'backup-key FILE',
  help: 'Makes a key that signs backups, and its public key in FILE.pub, which verifies them.',
  examples: ['vitrine backup-key backup.key'],
  settings: [],
  operand: 'one file, for the private key',
  async run(_, file) {
    const { publicPath } = createKeyFiles(file);
    printMessage(
      `${file} signs backups: keep it secret. ${publicPath} verifies them: keep it elsewhere, too.`,
    );
    return 0;
  },
});

function describeContent({ lines, file_count, change }: Manifest): string {
  const { contributor = 0, project = 0 } = lines;
  return [
    plural(contributor, 'contributor'),
    plural(project, 'project'),
    `${plural(file_count, 'file')}, up to change ${change}`,
  ].join(', ');
}

/** A sentence for each file that the gallery itself had lost. */
const describeMissing = ({ missing }: Manifest): string[] =>
  missing.map(
    ({ hash }) =>
      `The file ${hash} was missing in the gallery, and is missing in this backup. See vitrine check.`,
  );

const oneBackup = 'one backup, or the place of backups';

export const restoreCommand = defineCommand({
  usage: 'restore BACKUP',
  help: 'Verifies a backup, or the newest one of a folder or bucket, and restores it into an empty database with its files.',
  examples: ['vitrine restore /mnt/backups --database new.sqlite'],
  settings: ['database', 'files', 'publicKey'],
  operand: oneBackup,
  async run(settings, address) {
    const found = await findBackup(address);
    await using gallery = await openDatabaseAndFiles(settings, undefined, { mustExist: false });
    await requireEmpty(gallery.database);
    const verified = await verify(found, settings);
    if (!verified) {
      console.log('Nothing was restored.');
      return 1;
    }
    await restoreBackup(gallery, found, verified);
    await recordOrigin(gallery.database, found.backup, verified.manifest);
    console.log('It is restored.');
    printGallery(settings);
    return 0;
  },
});

export const verifyCommand = defineCommand({
  usage: 'verify BACKUP',
  help: 'Checks a backup, or the newest one of a folder or bucket, without a server and a database; exit code 1 if it is bad.',
  examples: ['vitrine verify /mnt/backups --public-key backup.key.pub'],
  settings: ['publicKey'],
  operand: oneBackup,
  run: async (settings, address) => ((await verify(await findBackup(address), settings)) ? 0 : 1),
});

/** Prints what it finds. Undefined if the backup is bad. */
async function verify({ place, backup, withoutManifest }: FoundBackup, settings: Settings<'publicKey'>) {
  const publicKey = settings.publicKey ? readPublicKey(settings.publicKey) : undefined;
  const { problems, manifest, files, hasSignature } = await verifyBackup(place, backup, publicKey);
  const name = place.addressOf(backup);
  for (const sentence of problems.sentences) console.log(printable(sentence));
  if (!manifest || problems.count > 0) {
    const listed = problems.sentences.length;
    const end = problems.count > listed ? ` The first ${listed} are listed.` : '';
    console.log(`${name}: This backup is bad: ${plural(problems.count, 'problem')}.${end}`);
    return undefined;
  }
  for (const sentence of describeMissing(manifest)) console.log(sentence);
  const signature = describeSignature(hasSignature, publicKey !== undefined);
  const program = printable(`by Vitrine ${manifest.vitrine}`);
  console.log(`${name}: All is well: ${describeContent(manifest)}, ${program}. ${signature}`);
  if (withoutManifest === undefined) return { manifest, files };
  console.log(
    `${place.addressOf(withoutManifest)} is later, and its manifest.json is missing. If you mean the backup before it, name that.`,
  );
  return undefined;
}

/** A changed manifest may have characters that a terminal obeys. */
const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '\ufffd');

function describeSignature(hasSignature: boolean, isChecked: boolean): string {
  if (!hasSignature) return 'It is not signed.';
  return isChecked ? 'It is signed with this key.' : 'Its signature was not checked: give --public-key.';
}

/** The name of the job: two processes never write to one place at the same time. */
export const backupJob = (address: string): string => `backup to ${address}`;

export const backupCommand = defineCommand({
  usage: 'backup FOLDER|URL',
  help: 'Adds a backup of database and files to the folder or bucket, also while a server runs.',
  examples: [
    'vitrine backup /mnt/backups --sign-with backup.key --keep 7d,4w,12m',
    "vitrine backup 's3://bucket/folder?region=eu-1' --unless-newer 1h",
  ],
  settings: ['database', 'files', 'signWith', 'keep', 'unlessNewer'],
  operand: 'one folder or bucket',
  async run(settings, address) {
    const privateKey = settings.signWith ? readPrivateKey(settings.signWith) : undefined;
    await using gallery = await openDatabaseAndFiles(settings);
    const { database } = gallery;
    const place = await openPlace(address);
    using progress = createProgressBar(await estimateLineCount(database));
    const outcome = await runStoppableJob(database, backupJob(place.address), settings, (confirm) =>
      backUp(gallery, place, settings.keep, { privateKey, confirm, progress: progress.show }),
    );
    progress.end();
    if (!isDone(outcome, settings, 'a backup there', 'backup')) return 0;
    for (const sentence of outcome.sentences) console.log(sentence);
    for (const warning of outcome.warnings) printMessage(warning);
    return outcome.warnings.length > 0 ? 1 : 0;
  },
});

/** Returns sentences about what was made, and about what keeps files from being deleted. */
async function backUp(
  gallery: { database: Database; files: FileStore },
  place: BackupPlace,
  keep: Settings<'keep'>['keep'],
  options: Parameters<typeof makeBackup>[2],
): Promise<{ sentences: string[]; warnings: string[] }> {
  const made = await makeBackup(gallery, place, options);
  const { backup, manifest, copied } = made;
  const problem = keep.length ? await deleteOldBackups(place, keep, made) : undefined;
  const sentence = `${place.addressOf(backup)}: ${describeContent(manifest)}; ${copied} of its files are new there.`;
  const { ofOthers, unreadable } = await surveyPlace(place, manifest);
  const warnings =
    unreadable.length > 0 ? [`${describeUnreadable(place, unreadable)} ${unreadableAdvice}`] : [];
  if (ofOthers.length > 0)
    warnings.push(
      `${place.address} has backups of another gallery, or of this one from after the backup that was restored: they stay, and so do all files. Give each gallery a place of its own.`,
    );
  return { sentences: [sentence, ...describeMissing(manifest), ...(problem ? [problem] : [])], warnings };
}
