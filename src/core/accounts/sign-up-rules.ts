// Sign-up, and how others see new people. Both are settings of the site; an option of the server wins.

import sql from 'sql-template-tag';
import { type Database, exists, first, type Reader } from '#sql';
import { changeHeadTable } from '../changes/tables.ts';
import { type ShownName, shownNames } from '../contributors/contributor.ts';
import { siteSettingTable } from '../server-tables.ts';
import { type SignUpPolicy, type SiteSettings, signUpPolicies } from '../site/site-fields.ts';
import { allHosts, loadSite } from '../site/site-settings.ts';

/** The options of the server. */
export interface SignUpOptions {
  readonly signUp: SignUpPolicy | undefined;
  readonly names: ShownName | undefined;
}

export interface SignUpRules {
  readonly policy: SignUpPolicy;
  /** How others see a new contributor, until they choose. */
  readonly shownName: ShownName;
}

export const findSignUpRules = ({ signUp, names }: SignUpOptions, site: SiteSettings): SignUpRules => ({
  policy: signUp ?? site.sign_up ?? signUpPolicies[0],
  shownName: names ?? site.names ?? shownNames[0],
});

export const loadSignUpRules = async (
  database: Database,
  options: SignUpOptions,
  host = allHosts,
): Promise<SignUpRules> => findSignUpRules(options, await loadSite(database, host));

/**
 * A new gallery shows new people by their usernames. One that was made before this setting has no such row, and goes on
 * showing full names. Nothing is logged: a backup can still be restored into the gallery.
 */
export async function beginGallery(database: Database): Promise<void> {
  if (await hasBegun(database)) return;
  await database.transaction(async (transaction) => {
    if (await hasBegun(transaction)) return;
    await transaction.insertMissing(siteSettingTable, [{ host: allHosts, name: 'names', value: 'username' }]);
  });
}

async function hasBegun(reader: Reader): Promise<boolean> {
  const head = await first(reader, changeHeadTable.columns)`from change_head`;
  if (head?.last || (await exists(reader, sql`from contributor`))) return true;
  return exists(reader, sql`from site_setting`);
}
