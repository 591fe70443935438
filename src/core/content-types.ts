export const contentTypes = [
  'text',
  'photo',
  'question',
  'link',
  'video',
  'quote',
  'document',
  'comment',
  'collection',
] as const;
export type ContentType = (typeof contentTypes)[number];

/** The types that lists have by default. */
export const listedTypes = contentTypes.filter((type) => type !== 'collection');

/** The types that pages for visitors list by default. */
export const listedProjectTypes = listedTypes.filter((type) => type !== 'comment');

/** A comment and a collection have no files, and are not featured. */
export const isWork = (type: ContentType): boolean => type !== 'comment' && type !== 'collection';

/** Lists have collections only where they are asked for. */
export const isCollection = ({ content_type }: { readonly content_type: ContentType }): boolean =>
  content_type === 'collection';

/** Content types of projects, without comments. */
export type ProjectContentType = Exclude<ContentType, 'comment'>;
export const projectContentTypes = contentTypes.filter(
  (type): type is ProjectContentType => type !== 'comment',
);

/** The types that a site can leave out. Collections are always there: features make more of them. */
export const workTypes = projectContentTypes.filter(isWork);
