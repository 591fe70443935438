import anyAscii from 'any-ascii';
import { projectLimits } from './project.ts';

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
