// A project, and the rules for every project wherever it comes from.

import sql from 'sql-template-tag';
import { integer, omit, type RowOf } from '#sql';
import type { ContentType } from '../core/content-types.ts';
import {
  avatarOfContributor,
  type ContributorNames,
  namesOfContributor,
} from '../core/contributors/contributor.ts';
import type { License } from '../core/licenses.ts';
import { type archived, type Status, type StoredStatus, toStatus } from '../core/project-status.ts';
import { projectTable } from './tables.ts';

/**
 * public: listed; unlisted: for anyone who has the address; private: for the contributor and moderators; class: for those
 * too, and for the people of the classes that it is in.
 */
export const visibilities = ['public', 'unlisted', 'private', 'class'] as const;
export type Visibility = (typeof visibilities)[number];

/** The audience of earlier versions: the contributor and moderators, or everybody who sees the project. */
export const histories = ['private', 'public'] as const;
export type History = (typeof histories)[number];

/** A class has members, who see what others do not. */
export const collectionKinds = ['collection', 'class'] as const;
export type CollectionKind = (typeof collectionKinds)[number];

/** Of a copy: who in the class made what it was copied from. */
export const sourceMakers = ['classmate', 'teacher'] as const;
export type SourceMaker = (typeof sourceMakers)[number];

/** Whether people may offer their own projects for a collection. */
export const offerChoices = ['closed', 'open'] as const;
export type Offers = (typeof offerChoices)[number];

export const projectLimits = {
  title: 200,
  text: 100_000,
  tag: 50,
  tags: 20,
  /** They change their visibility together with the project, in one statement. Imports may bring more. */
  comments: 2000,
  /** The counts of their tags change with it too. */
  tagsOfComments: 500,
  /** Of a collection. */
  items: 1000,
  slug: 80,
  link: 2000,
} as const;

/**
 * Imported projects stay as they were, because the rules are for writing. These limits keep responses and indexes in
 * bounds. Links contain the slugs.
 */
export const importedLimits = { title: 1000, text: 500_000, tag: 200, tags: 1000, slug: 255 } as const;

export const linkPattern = /^https?:\/\/[\x21-\x7e]+$/i;

/** Columns that belong to the gallery: neither responses nor pages show them. */
export const internalColumns = [
  ...([
    'root',
    'thread_visibility',
    'trashed',
    'trashed_by',
    'trashed_status',
    'removed_files',
    'never_listed',
    'made_for',
    'source_maker',
    'ends_set',
    'asked_status',
  ] as const),
  ...(['opening_rating_count', 'opening_rating_sum', 'opening_karma', 'earned_karma'] as const),
] as const;

const { columns } = projectTable;

export const projectColumns = {
  ...columns,
  content_type: columns.content_type.narrow<ContentType>(),
  visibility: columns.visibility.narrow<Visibility>(),
  history: columns.history.narrow<History>(),
  kind: columns.kind.narrow<CollectionKind | null>(),
  offers: columns.offers.narrow<Offers | null>(),
  license: columns.license.narrow<License | null>(),
  source_license: columns.source_license.narrow<License | null>(),
  source_maker: columns.source_maker.narrow<SourceMaker | null>(),
  status: columns.status.narrow<StoredStatus>(),
  trashed_status: columns.trashed_status.narrow<StoredStatus | null>(),
  asked_status: columns.asked_status.narrow<typeof archived | null>(),
};

/** A row as writes load and save it. */
export type ProjectRow = RowOf<typeof projectColumns>;

/** For whom something was made: see visibility/made-for-a-group.ts. */
export type Audience = Pick<ProjectRow, 'made_for' | 'source_maker'>;

export const ownerNameColumns = namesOfContributor('project.contributor');

/** The columns that viewers see, with the sort keys, which make up a position in an order. */
export const shownColumns = {
  ...omit(projectColumns, ...internalColumns),
  status: integer(sql`coalesce(trashed_status, status)`).narrow<Status>(),
  ...ownerNameColumns,
  avatar: avatarOfContributor('project.contributor', 'smallest'),
};

/** A project as viewers see it. Its tags are a text: see tags.ts. */
export interface Project extends Omit<RowOf<typeof shownColumns>, 'title_key' | 'last_name_key' | 'avatar'> {
  /** The hash of the contributor's avatar. Writes do not read it. */
  avatar?: string | null;
}

export const toProject = (row: ProjectRow, names: ContributorNames): Project => ({
  ...row,
  ...names,
  status: toStatus(row),
});
