// `vitrine setup`: the first admin and the settings of a new gallery, as the link in the log of `serve` asks for them.

import { OperatorError } from '#common/errors.ts';
import type { Database } from '#sql';
import { findAccountByUsername } from '../../core/accounts/account.ts';
import { beginGallery } from '../../core/accounts/sign-up-rules.ts';
import { transact } from '../../core/changes/transact.ts';
import { defineCommand, printGallery, printMessage, readChoice } from '../../core/commands/command.ts';
import { toFullNames } from '../../core/contributors/contributor.ts';
import { openGallery, requireNoLostGallery } from '../../core/open-gallery.ts';
import { defineText } from '../../core/settings/setting-values.ts';
import { type SiteKind, siteKindNames } from '../../core/site/site-kinds.ts';
import { allHosts, changeSite } from '../../core/site/site-settings.ts';
import { askNewPassword, readOperand } from '../own-account/user-command.ts';
import { newUsernameField } from '../sign-in/sign-up.ts';
import { addFirstAdmin, hasAdmin } from './first-admin.ts';
import { siteKinds } from './kinds.ts';

export const setupCommand = defineCommand({
  usage: 'setup USERNAME',
  help: 'Makes the first admin of a gallery, asks for the password, and sets what suits the kind of the site.',
  examples: ['vitrine setup grace --kind class', "vitrine setup grace --kind company --site-name 'The Lab'"],
  settings: ['database'],
  moreSettings: {
    kind: defineText({
      flag: 'kind',
      placeholder: 'class|makerspace|showcase|company',
      help: 'What the site is for.',
    }),
    siteName: defineText({ flag: 'site-name', placeholder: 'NAME', help: 'The name of the site.' }),
  },
  operand: 'the username of the first admin',
  async run({ database: address, kind: kindText, siteName }, username) {
    const kind = readChoice('--kind', siteKindNames, kindText || askKind());
    await requireNoLostGallery(address);
    const database = await openGallery(address);
    try {
      await setUp(database, username, kind, siteName);
    } finally {
      await database.close();
    }
    printGallery({ database: address });
    return 0;
  },
});

/** Without a terminal, nobody can answer. */
const askKind = (): string =>
  (process.stdin.isTTY && prompt(`What is it? ${siteKindNames.join(', ')}:`)?.trim()) || '';

async function setUp(database: Database, username: string, kind: SiteKind, name: string): Promise<void> {
  await beginGallery(database);
  if (await hasAdmin(database))
    throw new OperatorError('The gallery has an admin already: see vitrine user add, and vitrine site set.');
  const existing = await findAccountByUsername(database, username);
  const names = existing
    ? toFullNames(existing)
    : { username: readOperand('USERNAME', newUsernameField, username), first_name: '', last_name: '' };
  if (existing?.role)
    throw new OperatorError(`${names.username} has an account already: see vitrine user role.`);
  const settings = siteKinds[kind];
  const hash = await askNewPassword(names);
  await transact(database, null, async (write) => {
    await addFirstAdmin(write, names, settings.names, hash);
    await changeSite(write, allHosts, { ...settings, ...(name && { name }) });
  });
  const set = Object.entries(settings).map(([setting, value]) => `${setting} ${value}`);
  printMessage(`${names.username} is the admin now. The site has: ${set.join(', ')}.`);
  printMessage('vitrine site set changes each of them, as does the page /admin/site/.');
}
