// The names of the content types on pages.

import type { ContentType } from '../gallery/projects/project.ts';

interface TypeName {
  readonly one: string;
  readonly many: string;
}

export const typeNames: Readonly<Record<ContentType, TypeName>> = {
  text: { one: 'Story', many: 'Stories' },
  photo: { one: 'Photo', many: 'Photos' },
  question: { one: 'Question', many: 'Questions' },
  link: { one: 'Link', many: 'Links' },
  video: { one: 'Video', many: 'Videos' },
  quote: { one: 'Quote', many: 'Quotes' },
  document: { one: 'Document', many: 'Documents' },
  comment: { one: 'Comment', many: 'Comments' },
};
