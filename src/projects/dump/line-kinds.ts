// All kinds of dump lines: a line comes after the lines that it refers to. At the end of an import, the last kind
// finishes first.

import sql from 'sql-template-tag';
import { profileTable } from '../../core/contributors/tables.ts';
import { convert, id, list, oneOf, optional, text } from '../../core/dump/line-format.ts';
import { once, withAdded } from '../../core/feature.ts';
import { licenseNames } from '../../core/licenses.ts';
import { profileLimits, splitWords } from '../people/profile.ts';
import { ratingKind } from '../ratings/dump.ts';
import { accountKinds } from './account-lines.ts';
import { avatarKind } from './avatars.ts';
import { changeKinds } from './changes.ts';
import { contributorKind } from './contributors.ts';
import { erasedKind } from './erased.ts';
import type { LineKind } from './kind.ts';
import { bytesKind, mediaKind } from './media.ts';
import { projectKind } from './project.ts';
import { siteKind } from './site.ts';
import { ofAccounts, tableKind } from './table-kind.ts';

const ownKinds: readonly LineKind[] = [
  ...changeKinds,
  contributorKind,
  ...accountKinds,
  tableKind(
    profileTable,
    {
      contributor: id,
      about: text({ maxLength: profileLimits.about }),
      links: convert(
        list({
          maxItems: profileLimits.links,
          member: text({
            maxLength: profileLimits.link,
            pattern: [/^https:\/\/\S+$/, 'an address that begins with https://'],
          }),
          uniqueBy: (link) => link,
        }),
        (links) => links.join('\n'),
        splitWords,
      ),
      /** The uuids of projects. */
      pinned: convert(
        list({
          maxItems: profileLimits.pinned,
          member: text({ maxLength: 40, pattern: [/^[A-Za-z0-9]+$/, 'the uuid of a project'] }),
          uniqueBy: (uuid) => uuid,
        }),
        (uuids) => uuids.join(' '),
        splitWords,
      ),
      license: optional(oneOf(licenseNames)),
    },
    {
      ownData: {
        rows: (contributor) =>
          sql`contributor = ${contributor} and (about <> '' or links <> '' or pinned <> '' or license is not null)`,
      },
      // Everybody reads it, and moderators empty it.
      rights: { name: 'profile', columns: ['about', 'links', 'pinned'], concerns: ofAccounts },
    },
  ),
  avatarKind,
  projectKind,
  erasedKind,
  mediaKind,
  bytesKind,
  ratingKind,
  siteKind,
];

declare module '../../core/feature.ts' {
  interface Feature {
    /** The lines of its tables in dumps. */
    readonly lines?: readonly (Place & { load(): Promise<LineKind> })[];
  }
}

/** With those of the features. */
export const loadLineKinds = once(async (features): Promise<readonly LineKind[]> => {
  const added = await Promise.all(
    features
      .flatMap(({ lines = [] }) => lines)
      .map(async (line) => ({ ...line, entries: [await line.load()] })),
  );
  return withAdded(ownKinds, ({ format }) => format.type, added);
});
