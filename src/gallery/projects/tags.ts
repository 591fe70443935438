// Tags as a project's row stores them: one text, in order. No tag contains a comma.

import type { Project } from './project.ts';

const separator = ', ';

export function parseTags({ tags }: Pick<Project, 'tags'>): string[] {
  return tags === '' ? [] : tags.split(separator);
}

export function formatTags(tags: readonly string[]): string {
  return tags.join(separator);
}

/** Tags that differ only in case, Unicode normalization or surrounding spaces count as the same. */
export function tagKey(tag: string): string {
  return tag.trim().normalize('NFC').toLowerCase();
}
