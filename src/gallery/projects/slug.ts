import anyAscii from 'any-ascii';
import { type Project, projectLimits } from './project.ts';

/** Imported slugs may contain underscores too. */
export const slugPattern = /^[a-z0-9_-]+$/;

/** The title for a page's path: ASCII, lower case, words separated by hyphens. */
export function toSlug(title: string): string {
  const words =
    anyAscii(title)
      .toLowerCase()
      .replace(/['’]/g, '')
      .match(/[a-z0-9]+/g) ?? [];
  return words.join('-').slice(0, projectLimits.slug).replace(/-+$/, '') || 'untitled';
}

const maxLength = 60;

/** The title of a comment that was sent without one: the beginning of its text. */
export function titleFromText(text: string): string {
  const [line = ''] = text
    .replace(/[#>*_`]/g, '')
    .trim()
    .split('\n');
  const characters = [...line.replace(/\p{Cc}/gu, ' ').trim()];
  if (characters.length === 0) return 'Comment';
  return characters.length > maxLength
    ? `${characters.slice(0, maxLength).join('').trim()}…`
    : characters.join('');
}

/** Whether the title says something else than the first words of the text. */
export function hasOwnTitle({ content_type, title, text }: Pick<Project, 'content_type' | 'title' | 'text'>) {
  return content_type !== 'comment' || title !== titleFromText(text);
}
