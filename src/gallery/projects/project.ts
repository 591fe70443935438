// A project, and the rules for every project wherever it comes from.

import type { Instant } from '../instant.ts';
import type { Status } from './status.ts';

export const contentTypes = [
  'text',
  'photo',
  'question',
  'link',
  'video',
  'quote',
  'document',
  'comment',
] as const;
export type ContentType = (typeof contentTypes)[number];

/** Content types of projects, without comments. */
export type ProjectContentType = Exclude<ContentType, 'comment'>;
export const projectContentTypes = contentTypes.filter(
  (type): type is ProjectContentType => type !== 'comment',
);

/** public: listed; unlisted: for anyone who has the address; private: for the contributor and moderators. */
export const visibilities = ['public', 'unlisted', 'private'] as const;
export type Visibility = (typeof visibilities)[number];

/** The audience of earlier versions: the contributor and moderators, or everybody who sees the project. */
export const histories = ['private', 'public'] as const;
export type History = (typeof histories)[number];

export const projectLimits = {
  title: 200,
  text: 100_000,
  tag: 50,
  tags: 20,
  /** They change their visibility together with the project, in one statement. Imports may bring more. */
  comments: 2000,
  /** The counts of their tags change with it too. */
  tagsOfComments: 500,
  slug: 80,
  link: 2000,
} as const;

/**
 * Imported projects stay as they were, because the rules are for writing. These limits keep responses and indexes in
 * bounds. Links contain the slugs.
 */
export const importedLimits = { title: 1000, text: 500_000, tag: 200, tags: 1000, slug: 255 } as const;

export const linkPattern = /^https?:\/\/[\x21-\x7e]+$/i;

export interface Project {
  id: number;
  uuid: string;
  slug: string;
  title: string;
  content_type: ContentType;
  contributor: number;
  username: string;
  first_name: string;
  last_name: string;
  /** The hash of the contributor's avatar. Writes do not read it. */
  avatar?: string | null;
  copied_from: number | null;
  parent: number | null;
  link: string | null;
  visibility: Visibility;
  history: History;
  status: Status;
  /** As text: see tags.ts. */
  tags: string;
  text: string;
  rating_count: number;
  rating_sum: number;
  karma: number;
  created: Instant;
  modified: Instant;
  record_modified: Instant;
}
