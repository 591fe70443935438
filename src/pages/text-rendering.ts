// Renders Markdown and compares texts. Texts that may take long go to another thread, so that other requests do not
// wait for them.

import { WorkerThread } from '../worker-thread.ts';
import { toHtml } from './markdown.ts';
import type { ComparedTexts, DiffPart } from './text-diff.ts';
import { escapeXml } from './xml.ts';

export interface MarkdownText {
  readonly text: string;
  /** A first heading that repeats the title is left out. */
  readonly title: string;
  /** The level of the highest heading. */
  readonly level?: number;
}

export type TextJob =
  | { readonly kind: 'markdown'; readonly texts: readonly MarkdownText[] }
  | { readonly kind: 'diff'; readonly comparisons: readonly ComparedTexts[] };
export type TextResult = readonly (string | readonly DiffPart[] | undefined)[];

const thread = new WorkerThread<TextJob, TextResult>(new URL('./text-thread.ts', import.meta.url), {
  maxWaiting: 50,
  timeoutMs: 2000,
});

/** Rendering takes at most a microsecond for a character, unless there are tables: two characters can make a cell of each row. */
const maxQuickLength = 10_000;

/** The HTML of each text. A text that takes too long is shown as it is. */
export async function renderMarkdown(texts: readonly MarkdownText[]): Promise<readonly string[]> {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= maxQuickLength && !texts.some(({ text }) => text.includes('|')))
    return texts.map(({ text, title, level }) => toHtml(text, title, level));
  const rendered = await thread.run({ kind: 'markdown', texts });
  return (rendered as readonly string[] | undefined) ?? texts.map(({ text }) => `<p>${escapeXml(text)}</p>`);
}

export async function renderMarkdownText(text: MarkdownText): Promise<string> {
  const [html = ''] = await renderMarkdown([text]);
  return html;
}

/** The differences of each pair of texts; undefined for texts that have too little in common. */
export async function compareTexts(
  comparisons: readonly ComparedTexts[],
): Promise<readonly (readonly DiffPart[] | undefined)[]> {
  if (comparisons.length === 0) return [];
  const compared = await thread.run({ kind: 'diff', comparisons });
  return (
    (compared as readonly (readonly DiffPart[] | undefined)[] | undefined) ?? comparisons.map(() => undefined)
  );
}
