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
