// The settings of each site. One gallery may be served at several host names: what a host does not set, it takes from the
// default, whose host is empty.

import sql, { join } from 'sql-template-tag';
import { apiText, type Text } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { all, count, type Database, execute, nullable, pick, type Reader, type RowOf, select } from '#sql';
import { changeTable } from '../changes/tables.ts';
import type { Write } from '../changes/transact.ts';
import { columnOfContributor } from '../contributors/contributor.ts';
import { encodeSizes } from '../files/picture.ts';
import { preparePicture } from '../files/prepare.ts';
import type { FileStore } from '../files/store.ts';
import type { ServedFile } from '../files/stored-files.ts';
import { addJobs } from '../jobs/jobs.ts';
import { siteSettingTable } from '../server-tables.ts';
import type { Viewer } from '../viewer/viewer.ts';
import {
  defaultSite,
  formatLogo,
  type SettingName,
  type SiteSettings,
  settingNames,
  siteFields,
} from './site-fields.ts';

/** Of a host with settings; empty for all hosts. */
export const hostPattern = /^([a-z0-9._-]{1,253}|\[[0-9a-f:.]+\])?$/;

/** The host of the default settings. */
export const allHosts = '';
const maxHosts = 100;
/** The subject of changes of settings in the change log. */
const subject = 0;

type SettingTexts = Partial<Record<SettingName, string>>;
type SettingRow = RowOf<typeof siteSettingTable.columns>;

interface LoadedSites {
  readonly generation: number | undefined;
  readonly sites: ReadonlyMap<string, SiteSettings>;
}

const allSettings = select(siteSettingTable.columns, sql`from site_setting order by host, name`);
const cache = new WeakMap<Database, LoadedSites>();

export async function loadSite(database: Database, host: string): Promise<SiteSettings> {
  const sites = await loadSites(database);
  return sites.get(host) ?? sites.get(allHosts) ?? defaultSite;
}

/** All sites that have settings. They are read again when a setting has changed, in whatever process. */
async function loadSites(database: Database): Promise<ReadonlyMap<string, SiteSettings>> {
  const generation = database.generation();
  const cached = cache.get(database);
  if (
    cached?.generation !== undefined &&
    generation !== undefined &&
    !database.hasChanged(subject, cached.generation)
  )
    return cached.sites;
  const byHost = Map.groupBy(await database.all(allSettings), ({ host }) => host);
  const common = { ...defaultSite, ...parseSettings(byHost.get(allHosts) ?? []) };
  const sites = new Map<string, SiteSettings>([[allHosts, common]]);
  for (const [host, rows] of byHost) if (host) sites.set(host, { ...common, ...parseSettings(rows) });
  cache.set(database, { generation, sites });
  return sites;
}

/** A value that this version cannot read is left out: no row can break a page. */
function parseSettings(rows: readonly Pick<SettingRow, 'name' | 'value'>[]): Partial<SiteSettings> {
  const settings: Record<string, unknown> = {};
  for (const { name, value } of rows) {
    if (!isSettingName(name)) continue;
    try {
      settings[name] = siteFields[name].read(value);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
    }
  }
  return settings;
}

export const isSettingName = (name: string): name is SettingName => Object.hasOwn(siteFields, name);

/** The settings of this host itself, without the default ones. */
export async function loadOwnSettings(reader: Reader, host: string): Promise<SettingTexts> {
  const rows = await all(reader, siteSettingTable.columns)`from site_setting
    where host = ${host} order by name`;
  return Object.fromEntries(rows.map(({ name, value }) => [name, value]));
}

/** The hosts that have settings of their own. */
export const listHosts = async (database: Database): Promise<string[]> =>
  [...(await loadSites(database)).keys()].filter((host) => host !== allHosts);

/** Sets those that are given. An empty text removes the setting: the host takes the default again. */
export async function changeSite({ transaction, changeSet }: Write, host: string, given: SettingTexts) {
  if (!hostPattern.test(host))
    throw new Invalid({ host: ['Enter a host name, such as gallery.example.org.'] });
  const texts = checkTexts(given);
  const isOfGallery = (['review', 'review_works'] as const).filter(
    (name) => texts[name] && host !== allHosts,
  );
  if (isOfGallery.length > 0)
    throw new Invalid(Object.fromEntries(isOfGallery.map((name) => [name, [apiText('site.allHostsOnly')]])));
  const before = await loadOwnSettings(transaction, host);
  const changed = settingNames.filter(
    (name) => texts[name] !== undefined && texts[name] !== (before[name] ?? ''),
  );
  if (changed.length === 0) return;
  const isNew = host !== allHosts && Object.keys(before).length === 0;
  const hosts = sql`from (select distinct host from site_setting where host <> ${allHosts}) as hosts`;
  if (isNew && (await count(transaction, hosts)) >= maxHosts)
    throw new Invalid({ host: [`At most ${maxHosts} hosts have settings of their own.`] });
  const isChanged = sql`host = ${host} and name in (${join(changed)})`;
  const logos = sql`select substr(value, 1, 64) as name from site_setting where ${isChanged} and name = 'logo'`;
  await addJobs(transaction, 'unused_file', logos);
  await execute(transaction)`delete from site_setting where ${isChanged}`;
  const rows = changed.flatMap((name) => (texts[name] ? [{ host, name, value: texts[name] }] : []));
  if (rows.length) await transaction.upsert(siteSettingTable, rows);
  const record = JSON.stringify({ host, settings: changed });
  changeSet.add({ kind: 'site', action: 'changed', subject, record });
}

function checkTexts(given: SettingTexts): SettingTexts {
  const texts: SettingTexts = {};
  const errors: Record<string, Text[]> = {};
  for (const name of settingNames) {
    const value = given[name]?.trim();
    if (value === undefined) continue;
    texts[name] = value;
    try {
      if (value) siteFields[name].read(value);
    } catch (error) {
      if (!(error instanceof InvalidValue)) throw error;
      errors[name] = [error.text];
    }
  }
  if (Object.keys(errors).length) throw new Invalid(errors);
  return texts;
}

const changeColumns = {
  ...pick(changeTable.columns, 'at', 'record'),
  username: nullable(columnOfContributor('username', 'change.actor')),
};

/** The last changes of settings: when, by whom (null for the operator), and which. */
export async function listSiteChanges(reader: Reader, limit: number) {
  const rows = await all(reader, changeColumns)`from change
    where kind = 'site' and subject = ${subject} and record <> '' order by sequence desc limit ${limit}`;
  return rows.map(({ at, username, record }) => {
    const { host, settings } = JSON.parse(record) as { host: string; settings: string[] };
    return { at, username, host, settings };
  });
}

/** The logo with this hash, if a site has it now. */
async function findLogo(database: Database, hash: string) {
  for (const { logo } of (await loadSites(database)).values()) if (logo?.hash === hash) return logo;
  return undefined;
}

// A site's logo: an uploaded picture that is checked, converted and stored like the pictures of projects.

const maxBytes = 4 * 1024 * 1024;
/** Three times as high as it is shown. */
const minHeight = 120;

/** Stores the picture in its sizes, and returns the text of the setting: the smallest size that is sharp. */
export async function prepareLogo(
  deps: { readonly database: Database; readonly files: FileStore },
  viewer: Viewer,
  file: File,
): Promise<string> {
  if (file.size > maxBytes) throw new Invalid({ logo: [apiText('site.bigLogo')] });
  const sizes = await preparePicture(deps, viewer, 'logo', file, encodeSizes);
  const size = sizes.find(({ height }) => height >= minHeight) ?? sizes.at(-1);
  return size ? formatLogo(size) : '';
}

/** The file that is served for a logo; everybody may see it. */
export async function findLogoFile(database: Database, hash: string): Promise<ServedFile | undefined> {
  const logo = await findLogo(database, hash);
  return logo && { type: 'image/webp', name: 'logo.webp', bytes: logo.bytes, openness: 'public' };
}
