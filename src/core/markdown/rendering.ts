// Renders Markdown and compares texts. Texts that may take long go to another thread, so that other requests do not
// wait for them.

import { timeLimits } from '#common/time-limits.ts';
import { WorkerThread } from '#common/worker-thread.ts';
import { escapeXml } from '../escape-xml.ts';
import type { FragmentCache } from '../pages/layout/fragment-cache.ts';
import { type MarkdownText, renderAll, showAsText } from './markdown.ts';
import type { ComparedTexts, DiffPart } from './text-diff.ts';

export type TextJob =
  | { readonly kind: 'markdown'; readonly texts: readonly MarkdownText[] }
  | { readonly kind: 'code'; readonly program: ProgramText }
  | { readonly kind: 'diff'; readonly comparisons: readonly ComparedTexts[]; readonly timeoutMs: number };
interface ProgramText {
  readonly code: string;
  readonly language: string;
}

export type TextResult = readonly (string | readonly DiffPart[] | undefined)[];

const thread = new WorkerThread<TextJob, TextResult>(new URL('./text-thread.ts', import.meta.url), {
  maxWaiting: 50,
  get timeoutMs() {
    return timeLimits.text;
  },
});

/** Rendering takes at most a microsecond for a character, unless there are tables: two characters can make a cell of each row. */
const maxQuickLength = 10_000;

/** The HTML of each text. A text that takes too long is shown as it is. */
export async function renderMarkdown(
  texts: readonly MarkdownText[],
  fragments?: FragmentCache,
): Promise<readonly string[]> {
  if (texts.length === 0) return [];
  const render = () => renderOrGiveUp(texts);
  const rendered = await (fragments ? fragments.texts(['markdown', texts], render) : render());
  return rendered ?? texts.map(showAsText);
}

async function renderOrGiveUp(texts: readonly MarkdownText[]): Promise<readonly string[] | undefined> {
  const length = texts.reduce((sum, { text }) => sum + text.length, 0);
  if (length <= maxQuickLength && !texts.some(({ text }) => text.includes('|'))) return renderAll(texts);
  return (await thread.run({ kind: 'markdown', texts })) as readonly string[] | undefined;
}

export async function renderMarkdownText(text: MarkdownText, fragments?: FragmentCache): Promise<string> {
  const [html = ''] = await renderMarkdown([text], fragments);
  return html;
}

/** The HTML of a program. One that takes too long is not coloured. */
export async function highlightCode(program: ProgramText): Promise<string> {
  const [html] = (await thread.run({ kind: 'code', program })) ?? [];
  return typeof html === 'string' ? html : escapeXml(program.code);
}

/** The differences of each pair of texts; undefined for texts that have too little in common. */
export async function compareTexts(
  comparisons: readonly ComparedTexts[],
): Promise<readonly (readonly DiffPart[] | undefined)[]> {
  if (comparisons.length === 0) return [];
  const compared = await thread.run({ kind: 'diff', comparisons, timeoutMs: timeLimits.comparison });
  return (
    (compared as readonly (readonly DiffPart[] | undefined)[] | undefined) ?? comparisons.map(() => undefined)
  );
}
