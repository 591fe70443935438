import { wordsOf } from '../words.ts';

/** What a search for a project looks through, as it is stored. */
export function searchWords(parts: { title: string; name: string; tags: string; text: string }): string[] {
  return wordsOf(`${parts.title}\n${parts.name}\n${parts.tags}\n${parts.text}`);
}
