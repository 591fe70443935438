// Checks that a project is complete before a form publishes it. Drafts may lack it, and the API asks for a title only.

import { Invalid } from '../../common/errors.ts';
import { describeMediaType, type MediaType } from '../../gallery/media/media.ts';
import type { ContentType } from '../../gallery/projects/project.ts';
import type { Translator } from '../messages/translator.ts';

interface Content {
  readonly text?: unknown;
  readonly link?: unknown;
  /** The types of its files. */
  readonly files: readonly MediaType[];
}

/** Messages by field; empty if the project is complete. */
export function findMissing(
  { t }: Translator,
  type: ContentType,
  { text, link, files }: Content,
): Record<string, string[]> {
  const has = (display: string) => files.some((file) => describeMediaType(file).display === display);
  if (type === 'link' && !link) return { link: [t('edit.linkNeeded')] };
  if (type === 'quote' && !String(text ?? '').trim()) return { text: [t('edit.quoteNeeded')] };
  if (type === 'video' && !link && !has('video')) return { link: [t('edit.videoNeeded')] };
  if (type === 'photo' && !has('picture')) return { file: [t('edit.photoNeeded')] };
  if (type === 'document' && files.length === 0) return { file: [t('edit.documentNeeded')] };
  return {};
}

export function requireContent(translator: Translator, type: ContentType, content: Content): void {
  const missing = findMissing(translator, type, content);
  if (Object.keys(missing).length > 0) throw new Invalid(missing);
}
