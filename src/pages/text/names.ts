// Looks up the names in texts. Which of them are links depends on who looks, so they are a part of what a text is rendered from,
// and of the key under which its HTML is kept.

import type { Reader } from '../../database/database.ts';
import { isFindableBy } from '../../gallery/contributors/find.ts';
import { findMentions } from '../../gallery/mentions/mention.ts';
import { contributorPath } from '../../gallery/paths.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import type { MarkdownText } from './markdown.ts';

/** The texts, with the names in them that the viewer may find. A text without an `@` costs nothing. */
export async function withNames(
  reader: Reader,
  viewer: Viewer,
  texts: readonly MarkdownText[],
): Promise<readonly MarkdownText[]> {
  if (!texts.some(({ text }) => text.includes('@'))) return texts;
  const found = await findMentions(
    reader,
    isFindableBy(viewer),
    texts.map(({ text }) => text),
  );
  return texts.map((text, index) => {
    const mentions = found[index] ?? [];
    if (mentions.length === 0) return text;
    const names = mentions.map(({ written, name, contributor: { id, username } }) => ({
      written,
      name,
      href: contributorPath(id, username),
    }));
    return { ...text, names };
  });
}
