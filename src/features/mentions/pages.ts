// Looks up the names in texts: which of them are links depends on who looks.

import { isFindableBy } from '../../core/contributors/find-contributors.ts';
import type { TextNames } from '../../core/pages/page.ts';
import { contributorPath } from '../../core/paths.ts';
import { findMentions } from './mention.ts';

/** Those that the viewer may find. A text without an `@` costs nothing. */
export const textNames: TextNames = async (reader, viewer, texts) => {
  if (!texts.some((text) => text.includes('@'))) return [];
  const found = await findMentions(reader, isFindableBy(viewer), texts);
  return found.map((mentions) =>
    mentions.map(({ written, name, contributor: { id, username } }) => ({
      written,
      name,
      href: contributorPath(id, username),
    })),
  );
};
