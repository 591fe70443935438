// Renders users' Markdown to HTML. HTML in it is escaped; links have http, https or mailto and `rel="nofollow ugc"`;
// images become links, because pages load nothing from other hosts, unless they are the project's own pictures.

import MarkdownIt from 'markdown-it';
import { escapeXml } from '../escape-xml.ts';
import { linkBareUrls } from './bare-links.ts';
import { highlight } from './code/highlight.ts';
import { type LinkedName, linkNames } from './name-links.ts';
import { findTextPicture, type TextPicture } from './pictures.ts';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Deeper quotes and lists would not fit on a page. */
const maxNesting = 40;
const maxLinkLength = 2000;

/** One link definition can be used a thousand times: the total length of all links in a text is limited. */
const linkBudget = 200_000;

const markdown = new MarkdownIt({
  html: false,
  highlight: (code, language) => highlight(code, language) ?? '',
});
markdown.set({ maxNesting });
linkBareUrls(markdown);
markdown.validateLink = (address) =>
  address.length <= maxLinkLength && /^(https?:\/\/[^/]|mailto:.)/i.test(address);

markdown.core.ruler.push('vitrine', ({ tokens, Token: TokenClass, env }) => {
  const pictures = env.pictures as TextPictures;
  const names = env.names as readonly LinkedName[];
  let budget = linkBudget;
  removeRepeatedTitle(tokens, toComparable(String(env.title)));
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  // Renumbers headings, so that they continue below the page's own heading without a gap.
  const topLevel = Math.min(...headings.map(getHeadingLevel));
  for (const heading of headings)
    heading.tag = `h${Math.min(6, getHeadingLevel(heading) - topLevel + Number(env?.level ?? 2))}`;
  for (const token of tokens) {
    if (token.type === 'inline') {
      token.children = replaceImages(token.children ?? [], TokenClass, pictures);
      budget = secureLinks(token.children, budget, pictures);
      if (names.length > 0) [token.children, budget] = linkNames(token.children, TokenClass, names, budget);
    }
  }
});

markdown.renderer.rules.table_open = () => '<section class="wide" aria-label="Table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></section>\n';
// Cells are aligned by a class: the Content-Security-Policy forbids style attributes.
for (const rule of ['th_open', 'td_open']) {
  markdown.renderer.rules[rule] = (tokens, index) => {
    const token = tokens[index] as Token;
    const alignment = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    return `<${token.tag}${alignment ? ` class="${alignment}"` : ''}>`;
  };
}

const maxTitleLength = 1000;

/** The page shows the title already. A list or a quote keeps its headings. */
function removeRepeatedTitle(tokens: Token[], title: string): void {
  const index = tokens.findIndex(({ type }) => type === 'heading_open');
  const [open, inline] = tokens.slice(index);
  if (index < 0 || open?.level !== 0) return;
  const words = (inline?.children ?? []).map(({ content }) => content).join('');
  // Comparing takes long for a heading of many dots, and no title is that long.
  if (title !== '' && words.length <= maxTitleLength && toComparable(words) === title)
    tokens.splice(index, 3);
}

/** Titles are compared without case, spaces around and between words, and the signs at their end. */
const toComparable = (text: string) =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/[\s*_`]+/g, ' ')
    .trim()
    .replace(/[\s.:!…]+$/, '');

const getHeadingLevel = ({ tag }: Token) => Number(tag.slice(1));

function replaceImages(
  tokens: Token[],
  TokenClass: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token,
  pictures: TextPictures,
) {
  let linkDepth = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') linkDepth++;
    if (token.type === 'link_close') linkDepth--;
    if (token.type !== 'image') return [token];
    const picture = findTextPicture(pictures, String(token.attrGet('src') ?? ''));
    if (picture) return [showPicture(new TokenClass('own_picture', 'img', 0), token.content, picture)];
    const text = new TokenClass('text', '', 0);
    text.content = token.content || 'Picture';
    // Links cannot be nested.
    if (linkDepth > 0) return [text];
    const open = new TokenClass('link_open', 'a', 1);
    open.attrSet('href', String(token.attrGet('src') ?? ''));
    return [open, text, new TokenClass('link_close', 'a', -1)];
  });
}

function showPicture(token: Token, alt: string, picture: TextPicture): Token {
  token.attrs = Object.entries({
    ...picture.attributes,
    alt: alt || picture.alt,
    loading: 'lazy',
    decoding: 'async',
  });
  return token;
}

/** Sets `rel` on links and returns the remaining budget. Links and pictures beyond it become plain text. */
function secureLinks(tokens: readonly Token[], budget: number, pictures: TextPictures): number {
  let remaining = budget;
  let isOverBudget = false;
  for (const token of tokens) {
    if (token.type === 'own_picture') {
      remaining -= (token.attrs ?? []).join().length;
      if (remaining < 0) {
        token.type = 'text';
        token.content = String(token.attrGet('alt'));
      }
    }
    if (token.type === 'link_open') {
      const address = String(token.attrGet('href') ?? '');
      const href = findTextPicture(pictures, address)?.href ?? address;
      remaining -= href.length;
      isOverBudget = remaining < 0;
      token.attrs = [
        ['href', href],
        ['rel', 'nofollow noopener ugc'],
      ];
    }
    if (isOverBudget && token.type.startsWith('link_')) token.hidden = true;
  }
  return remaining;
}

/** Headings begin at `level`. A first heading that repeats the title is left out. */
export function toHtml({ text, title, level = 2, pictures = [], names = [] }: MarkdownText): string {
  const byName: TextPictures = new Map(pictures.toReversed().map((picture) => [picture.name, picture]));
  return withPictures(byName).render(text, { level, title, pictures: byName, names });
}

/** The same parser, for which the names of these pictures are addresses too. */
function withPictures(pictures: TextPictures): typeof markdown {
  if (pictures.size === 0) return markdown;
  const validateLink = (address: string) =>
    findTextPicture(pictures, address) !== undefined || markdown.validateLink(address);
  return Object.assign(Object.create(markdown), { validateLink });
}

export interface MarkdownText {
  readonly text: string;
  readonly title: string;
  readonly level?: number;
  /** Those that the text can show. */
  readonly pictures?: readonly TextPicture[];
  /** Those that are links. */
  readonly names?: readonly LinkedName[];
}

type TextPictures = ReadonlyMap<string, TextPicture>;

/**
 * Two characters can make a cell in each row of a table. A text whose HTML is longer than this is shown as it is, and so
 * are all texts of a page once their HTML is longer than the second limit.
 */
const maxHtmlLength = (text: string) => 20_000 + 12 * text.length;
const maxTotalHtmlLength = 1_500_000;

/** The HTML of each text. */
export function renderAll(texts: readonly MarkdownText[]): string[] {
  let total = 0;
  return texts.map((text) => {
    if (total > maxTotalHtmlLength) return showAsText(text);
    const html = toHtml(text);
    if (html.length <= maxHtmlLength(text.text)) {
      total += html.length;
      return html;
    }
    // Such texts were made to be costly: there are probably more of them.
    total += maxTotalHtmlLength / 2;
    return showAsText(text);
  });
}

export const showAsText = ({ text }: MarkdownText): string => `<p>${escapeXml(text)}</p>`;

/** The beginning of a text without Markdown syntax, and without headings if there is other text. */
export function excerpt(text: string, title = '', length = 220): string {
  const beginning = text.slice(0, 4 * length);
  const words =
    stripMarkdown(beginning.replace(/^(#{1,6}\s.*|.+\n(=+|--+) *)$/gm, '')) || stripMarkdown(beginning);
  return words === title ? '' : truncate(words, length);
}

/** Long runs of white space are shortened first: the other expressions would read them again from each of their characters. */
export function stripMarkdown(text: string): string {
  return text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/(\n ?){3,}/g, '\n\n')
    .replace(/^(```|~~~).*$/gm, '')
    .replace(/^[ >]*(#{1,6}|[*+-]|\d{1,9}[.)]) /gm, '')
    .replace(/^[>\s]+/gm, '')
    .replace(/^[|:=\s-]{3,}$/gm, '')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(?<=^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s.,:;!?)]|$)/gm, '')
    .replace(/\s*\\?\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** The block quote at the beginning of a text, without the attribution below it. */
export function extractQuote(text: string): string {
  const [quote = ''] = /^(\s*>.*\n?)+/.exec(text.slice(0, 1000)) ?? [];
  return excerpt(quote);
}

/** Cuts at a word if possible, and never inside a surrogate pair. */
export function truncate(text: string, length: number): string {
  if (text.length <= length) return text;
  const head = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const atWord = head.replace(/\s+\S{0,20}$/, '');
  return `${atWord}…`;
}
