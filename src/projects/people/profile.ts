// The profile of a contributor, on their page: a few words, links, and the projects that stand first.

import { join } from 'sql-template-tag';
import { apiText, type Text } from '#common/api-text.ts';
import { Forbidden, Invalid } from '#common/errors.ts';
import { InvalidValue } from '#common/inputs.ts';
import { type Fields, readText, textField } from '#rest/fields.ts';
import { all, execute, first, pick, type Reader, type RowOf } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { lockContributor } from '../../core/contributors/find-contributors.ts';
import { profileTable } from '../../core/contributors/tables.ts';
import type { License } from '../../core/licenses.ts';
import { parseProjectPath } from '../../core/paths.ts';
import { authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import type { Project } from '../project.ts';
import { projectFields } from '../project-fields.ts';
import { projectTable } from '../tables.ts';

export const profileLimits = { about: 500, links: 4, link: 300, pinned: 4 } as const;

export interface Profile {
  readonly about: string;
  readonly links: string[];
  /** The uuids of projects. Others see those that are public. */
  readonly pinned: string[];
  /** Of new works. */
  readonly license: License | null;
}

const noProfile: Profile = { about: '', links: [], pinned: [], license: null };

export const isEmpty = ({ about, links, pinned, license }: Profile): boolean =>
  about === '' && links.length === 0 && pinned.length === 0 && license === null;

/** One entry a line, or of a list. */
function linesField(label: Text, help: Text, maxItems: number, read: (line: string) => string) {
  const { schema } = textField({ label, maxLength: 2000, allowsBlank: true });
  return {
    label,
    help,
    schema,
    read(value: unknown): string[] {
      // A form with several checkboxes sends a list.
      const lines = [value].flat().flatMap((text) => readText(text).split('\n'));
      const entries = [
        ...new Set(
          lines
            .map((line) => line.trim())
            .filter(Boolean)
            .map(read),
        ),
      ];
      if (entries.length > maxItems) throw new InvalidValue(apiText('profile.tooMany', { max: maxItems }));
      return entries;
    },
  };
}

const about = textField({
  label: apiText('profile.about'),
  help: apiText('profile.aboutHelp'),
  maxLength: profileLimits.about,
  allowsBlank: true,
});

export const profileFields = {
  about: { ...about, read: (value: unknown) => about.read(readText(value).trim()) },
  links: linesField(apiText('profile.links'), apiText('profile.linksHelp'), profileLimits.links, readLink),
  pinned: linesField(
    apiText('profile.pinned'),
    apiText('profile.pinnedHelp'),
    profileLimits.pinned,
    readPinned,
  ),
  license: {
    ...projectFields.license,
    label: apiText('profile.license'),
    help: apiText('profile.licenseHelp'),
  },
} satisfies Fields;

function readLink(line: string): string {
  const url = URL.parse(line);
  if (url?.protocol !== 'https:' || url.username || url.password || url.href.length > profileLimits.link)
    throw new InvalidValue(apiText('profile.badLink', { line }));
  return url.href;
}

function readPinned(line: string): string {
  const uuid = parseProjectPath(URL.parse(line, 'https://localhost')?.pathname ?? '');
  if (uuid === undefined) throw wrongProject(line);
  return uuid;
}

const wrongProject = (line: string) => new InvalidValue(apiText('profile.badProject', { line }));

export const splitWords = (text: string) => text.split(/\s/).filter(Boolean);

export async function loadProfile(reader: Reader, contributor: number): Promise<Profile> {
  const row = await first(reader, profileColumns)`from profile where contributor = ${contributor}`;
  return row ? fromRow(row) : noProfile;
}

const profileColumns = {
  ...profileTable.columns,
  license: profileTable.columns.license.narrow<License | null>(),
};
type ProfileRow = RowOf<typeof profileColumns>;

const fromRow = ({ about, links, pinned, license }: ProfileRow): Profile => ({
  about,
  links: splitWords(links),
  pinned: splitWords(pinned),
  license,
});

const toRow = (contributor: number, { about, links, pinned, license }: Profile): ProfileRow => ({
  contributor,
  about,
  links: links.join('\n'),
  pinned: pinned.join(' '),
  license,
});

/** Changes the viewer's own profile. */
export async function changeProfile(write: WriteContext, profile: Profile): Promise<void> {
  const { transaction, viewer } = write;
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  await lockContributor(transaction, contributor);
  const own = await loadPinned(transaction, contributor, profile.pinned);
  const foreign = profile.pinned.find((pin) => !own.some(({ uuid }) => uuid === pin));
  if (foreign !== undefined) throw new Invalid({ pinned: [wrongProject(foreign).message] });
  await deleteProfile(write, contributor);
  if (!isEmpty(profile)) await transaction.insert(profileTable, [toRow(contributor, profile)]);
}

/** The uuids of the contributor's pinned projects that still exist. */
export async function loadPins(reader: Reader, contributor: number): Promise<string[]> {
  const { pinned } = await loadProfile(reader, contributor);
  return (await loadPinned(reader, contributor, pinned)).map(({ uuid }) => uuid);
}

/** Adds one of the viewer's own projects to the end of their pinned ones, or takes it from them. */
export async function pinProject(
  write: WriteContext,
  { uuid, contributor }: Pick<Project, 'uuid' | 'contributor'>,
  isPinned: boolean,
): Promise<void> {
  const { transaction, viewer } = write;
  authorizeAny(viewer, 'changeAccount');
  if (contributor !== viewer.contributor) throw new Forbidden();
  // Two that are pinned at the same time are both pinned.
  await lockContributor(transaction, contributor);
  const others = (await loadPins(transaction, contributor)).filter((pin) => pin !== uuid);
  if (isPinned && others.length >= profileLimits.pinned)
    throw new Invalid({ non_field_errors: [apiText('profile.pinsFull', { max: profileLimits.pinned })] });
  const profile = await loadProfile(transaction, contributor);
  await changeProfile(write, { ...profile, pinned: isPinned ? [...others, uuid] : others });
}

export async function deleteProfile({ transaction, changeSet }: Write, contributor: number): Promise<void> {
  await execute(transaction)`delete from profile where contributor = ${contributor}`;
  changeSet.add({ kind: 'profile', action: 'changed', subject: contributor });
}

const pinnedColumns = pick(projectTable.columns, 'uuid', 'slug', 'title');
type PinnedProject = RowOf<typeof pinnedColumns>;

/** Those of the projects that are the contributor's own, in the order in which they are pinned. */
export async function loadPinned(
  reader: Reader,
  contributor: number,
  uuids: readonly string[],
): Promise<PinnedProject[]> {
  if (uuids.length === 0) return [];
  const rows = await all(reader, pinnedColumns)`from project
    where uuid in (${join([...uuids])}) and contributor = ${contributor} and content_type <> 'comment'`;
  return rows.toSorted((project, other) => uuids.indexOf(project.uuid) - uuids.indexOf(other.uuid));
}
