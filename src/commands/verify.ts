import type { Manifest } from '../import-export/backup/manifest.ts';
import { type FoundBackup, findBackup } from '../import-export/backup/open.ts';
import { readPublicKey } from '../import-export/backup/signature.ts';
import { type Verification, verifyBackup } from '../import-export/backup/verify.ts';
import type { Settings } from '../settings/settings.ts';
import { defineCommand, plural } from './command.ts';
import { describeContent, describeMissing } from './describe-backup.ts';

export const oneBackup = 'one backup, or the place of backups';

export const verifyCommand = defineCommand({
  usage: 'verify BACKUP',
  help: 'Checks a backup, or the newest one of a folder or bucket, without a server and a database; exit code 1 if it is bad.',
  examples: ['vitrine verify /mnt/backups --public-key backup.key.pub'],
  settings: ['publicKey'],
  operand: oneBackup,
  run: async (settings, address) => ((await verify(await findBackup(address), settings)) ? 0 : 1),
});

/** Prints what it finds. Undefined if the backup is bad. */
export async function verify(
  { place, backup }: FoundBackup,
  settings: Settings<'publicKey'>,
): Promise<GoodBackup | undefined> {
  const publicKey = settings.publicKey ? readPublicKey(settings.publicKey) : undefined;
  const { problems, manifest, files, hasSignature } = await verifyBackup(place, backup, publicKey);
  const name = place.addressOf(backup);
  for (const sentence of problems.sentences) console.log(sentence);
  if (!manifest || problems.count > 0) {
    const listed = problems.sentences.length;
    const end = problems.count > listed ? ` The first ${listed} are listed.` : '';
    console.log(`${name}: This backup is bad: ${plural(problems.count, 'problem')}.${end}`);
    return undefined;
  }
  for (const sentence of describeMissing(manifest)) console.log(sentence);
  const signature = describeSignature(hasSignature, publicKey !== undefined);
  console.log(
    `${name}: All is well: ${describeContent(manifest)}, by Vitrine ${manifest.vitrine}. ${signature}`,
  );
  return { manifest, files };
}

type GoodBackup = { readonly manifest: Manifest } & Pick<Verification, 'files'>;

function describeSignature(hasSignature: boolean, isChecked: boolean): string {
  if (!hasSignature) return 'It is not signed.';
  return isChecked ? 'It is signed with this key.' : 'Its signature was not checked: give --public-key.';
}
