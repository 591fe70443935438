// The text of a quote and the fields of its form. The text is Markdown: a block quote with the words, a line that begins with a
// dash and says whose they are, and what else there is to say.

import { toText } from '#rest/fields.ts';

export interface QuoteParts {
  /** The words. */
  readonly text: string;
  readonly said_by: string;
  readonly note: string;
}

/** A text without a block quote consists of the words, and may end with a line that begins with a dash. */
export function parseQuote(text: string): QuoteParts {
  const lines = text.replace(/\r\n?/g, '\n').trim().split('\n');
  const isQuoted = (line: string) => line.startsWith('>');
  const end = lines.findIndex((line) => !isQuoted(line));
  const words = end < 0 ? lines : lines.slice(0, end);
  if (words.length === 0) return parsePlainQuote(lines);
  const rest = end < 0 ? '' : lines.slice(end).join('\n').trim();
  const [first = '', ...others] = rest.split('\n');
  const said_by = readAttribution(first);
  return {
    text: words.map((line) => line.replace(/^> ?/, '')).join('\n'),
    said_by,
    note: said_by ? others.join('\n').trim() : rest,
  };
}

function parsePlainQuote(lines: readonly string[]): QuoteParts {
  const said_by = readAttribution(lines.at(-1) ?? '');
  const text = (said_by ? lines.slice(0, -1) : lines).join('\n').trim();
  return { text, said_by, note: '' };
}

const readAttribution = (line: string) => /^(?:[—–]|--?(?= )) *(\S.*)$/.exec(line)?.[1]?.trim() ?? '';

function formatQuote({ text, said_by, note }: QuoteParts): string {
  const words = text.trim();
  const quoted = words
    .split('\n')
    .map((line) => (line.startsWith('>') ? line : `> ${line}`.trim()))
    .join('\n');
  return [words && quoted, said_by && `— ${said_by}`, note.trim()].filter(Boolean).join('\n\n');
}

/** The values of a form, with the fields of a quote as one text. A quote that was not changed stays as it is stored. */
export function joinQuote(data: Readonly<Record<string, unknown>>, stored?: string) {
  if (!('said_by' in data)) return data;
  const parts = {
    text: toText(data.text),
    said_by: toText(data.said_by).replace(/\s+/g, ' ').trim(),
    note: toText(data.note),
  };
  const isUnchanged = stored !== undefined && Bun.deepEquals(parts, parseQuote(stored));
  return { ...data, text: isUnchanged ? stored : formatQuote(parts) };
}
