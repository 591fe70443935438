// Asks features for the names in texts. Which of them are links depends on who looks, so they are a part of what a text is rendered
// from, and of the key under which its HTML is kept.

import type { PageContext } from '../pages/page.ts';
import type { MarkdownText } from './markdown.ts';

/** The texts, with the names in them that are links for the viewer. */
export async function withNames(
  { database, viewer, features }: Pick<PageContext, 'database' | 'viewer' | 'features'>,
  texts: readonly MarkdownText[],
): Promise<readonly MarkdownText[]> {
  const written = texts.map(({ text }) => text);
  const found = await Promise.all(features.textNames.map((find) => find(database, viewer, written)));
  return texts.map((text, index) => {
    const names = found.flatMap((ofTexts) => ofTexts[index] ?? []);
    return names.length === 0 ? text : { ...text, names };
  });
}
