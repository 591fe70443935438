// JSON as HTML: indented as by JSON.stringify, with colours, links for the URLs, and objects and lists that fold.

import { isJsonObject, toJson } from '../../../common/src/json.ts';
import { escapeHtml } from '../runtime.ts';
import { isLongList, joinInSlices } from './long-list.ts';

const indent = '    ';
/** Records fold, and what is in them; deeper levels would only cost time. */
const maxFoldedDepth = 3;
/** Of each text in a long list: a browser could not show them all. */
export const maxTextLength = 1000;

/** The text in the page is that of the JSON, line breaks too, but for the texts in long lists. */
export function renderJson(data: unknown, isFolded = false): Promise<string> {
  const maxLength = isLongList(data) ? maxTextLength : Number.POSITIVE_INFINITY;
  return joinInSlices(renderValue(data, { depth: 0, before: '', after: '', maxLength, isOpen: !isFolded }));
}

const longDocument = 200_000;

/** Whether this is a long document and no list, such as the schema: its parts are folded at first. */
export const isLongDocument = (data: unknown): boolean =>
  isJsonObject(data) && !Array.isArray(data.results) && toJson(data).length > longDocument;

interface Place {
  readonly depth: number;
  /** The indentation and the name, as HTML. */
  readonly before: string;
  /** The comma and the end of the line. */
  readonly after: string;
  /** The number of an item in a list. */
  readonly position?: number;
  /** Longer texts are cut. */
  readonly maxLength: number;
  /** Whether what folds is unfolded at first. */
  readonly isOpen: boolean;
}

function* renderValue(value: unknown, place: Place): Generator<string> {
  const { depth, before, after, position, maxLength, isOpen } = place;
  const isList = Array.isArray(value);
  const members = isList
    ? value.map((item): [name: string, value: unknown] => ['', item])
    : isJsonObject(value)
      ? // As JSON.stringify does.
        Object.entries(value).filter(([, member]) => member !== undefined)
      : [];
  if (members.length === 0) {
    yield `${before}${renderScalar(value, maxLength)}${after}`;
    return;
  }
  const [open, close] = isList ? '[]' : '{}';
  const isFolded = depth > 0 && depth <= maxFoldedDepth;
  const label = position === undefined ? '' : ` aria-label="Item ${position}"`;
  if (isFolded)
    yield `<details${isOpen ? ' open' : ''}><summary${label} data-more="${escapeHtml(`${summarize(value)} ${close}`)}">`;
  yield `${before}${open}\n${isFolded ? '</summary>' : ''}`;
  const indentation = indent.repeat(depth + 1);
  for (const [index, [name, member]] of members.entries()) {
    yield* renderValue(member, {
      depth: depth + 1,
      before: isList ? indentation : `${indentation}${escapeHtml(toJson(name))}: `,
      after: index < members.length - 1 ? ',\n' : '\n',
      maxLength,
      isOpen,
      position: isList ? index + 1 : undefined,
    });
  }
  yield `${indent.repeat(depth)}${close}${after}${isFolded ? '</details>' : ''}`;
}

const maxUrlLength = 2000;

/** Whether a text is shown as a link: a long text that begins like one is not. */
export const isUrl = (text: string): boolean =>
  text.length <= maxUrlLength && /^https?:\/\/[^\s\p{Cc}"\\]+$/u.test(text);

function renderScalar(value: unknown, maxLength: number): string {
  const isCut = typeof value === 'string' && value.length > maxLength;
  const text = escapeHtml(toJson(isCut ? `${value.slice(0, maxLength).toWellFormed()}…` : value));
  if (typeof value !== 'string')
    return typeof value === 'object' ? text : `<span class="literal">${text}</span>`;
  if (isUrl(value)) {
    const url = escapeHtml(value);
    return `&quot;<a href="${url}">${url}</a>&quot;`;
  }
  return `<span class="string">${text}</span>`;
}

const maxSummaryLength = 70;

/** The first short values, so that a folded record can be recognized. */
function summarize(value: unknown): string {
  if (Array.isArray(value)) return String(value.length);
  const isShort = (member: unknown) =>
    (typeof member === 'string' &&
      member.length < maxSummaryLength &&
      !/^(https?:|\d{4}-\d\d-)/.test(member)) ||
    typeof member === 'number';
  const shown = Object.entries(value ?? {}).filter(([, member]) => isShort(member));
  const text = shown.slice(0, 3).map(([name, member]) => `${toJson(name)}: ${toJson(member)}`);
  return text.join(', ').slice(0, maxSummaryLength);
}
