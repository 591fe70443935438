import type { Project } from './project.ts';

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
