// People's Markdown as HTML. Markup of their own is text; a link leads only where a browser may go and says that
// the site does not vouch for it; a picture elsewhere becomes a link to it, as no page loads from other hosts.

import MarkdownIt from 'markdown-it';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];

/** Deeper quotes and lists would not fit a page. */
const deepest = 40;
const longestLink = 2000;

/** A definition can be used a thousand times: with what all links of a text may take, its page stays bounded. */
const linkBudget = 200_000;

const markdown = new MarkdownIt({ html: false, linkify: true });
markdown.set({ maxNesting: deepest });
// What has a scheme is meant as a link; `setup.py` is not.
markdown.linkify?.set({ fuzzyLink: false, fuzzyEmail: false });
markdown.validateLink = (address) =>
  address.length <= longestLink && /^(https?:\/\/[^/]|mailto:.)/i.test(address);

markdown.core.ruler.push('ours', ({ tokens, Token: Made, env }) => {
  let budget = linkBudget;
  const headings = tokens.filter(({ type }) => type === 'heading_open' || type === 'heading_close');
  const highest = Math.min(...headings.map(levelOf));
  for (const heading of headings)
    heading.tag = `h${Math.min(6, levelOf(heading) - highest + Number(env?.level ?? 2))}`;
  for (const token of tokens) {
    if (token.type === 'inline') {
      token.children = withoutPictures(token.children ?? [], Made);
      budget = guarded(token.children, budget);
    }
  }
});

markdown.renderer.rules.table_open = () => '<section class="wide" aria-label="Table" tabindex="0"><table>\n';
markdown.renderer.rules.table_close = () => '</table></section>\n';
// Aligned by a class, as no style may stand in a page.
for (const kind of ['th_open', 'td_open']) {
  markdown.renderer.rules[kind] = (tokens, index) => {
    const token = tokens[index] as Token;
    const side = /text-align:(\w+)/.exec(String(token.attrGet('style') ?? ''))?.[1];
    return `<${token.tag}${side ? ` class="${side}"` : ''}>`;
  };
}

/** The page's own heading stands above those of the text, and no step is left out below it. */
const levelOf = ({ tag }: Token) => Number(tag.slice(1));

function withoutPictures(
  tokens: Token[],
  Made: new (type: string, tag: string, nesting: -1 | 0 | 1) => Token,
) {
  let links = 0;
  return tokens.flatMap((token) => {
    if (token.type === 'link_open') links++;
    if (token.type === 'link_close') links--;
    if (token.type !== 'image') return [token];
    const text = new Made('text', '', 0);
    text.content = token.content || 'Picture';
    // A link cannot hold another.
    if (links > 0) return [text];
    const open = new Made('link_open', 'a', 1);
    open.attrSet('href', String(token.attrGet('src') ?? ''));
    return [open, text, new Made('link_close', 'a', -1)];
  });
}

/** What is left of the budget. A link beyond it stays as its words. */
function guarded(tokens: readonly Token[], budget: number): number {
  let left = budget;
  let dropped = false;
  for (const token of tokens) {
    if (token.type === 'link_open') {
      const href = String(token.attrGet('href') ?? '');
      left -= href.length;
      dropped = left < 0;
      token.attrs = [
        ['href', href],
        ['rel', 'nofollow noopener ugc'],
      ];
    }
    if (dropped && token.type.startsWith('link_')) token.hidden = true;
  }
  return left;
}

/** Headings from a level on, without a first one that says the title again. */
export function toHtml(text: string, title = '', level = 2): string {
  const [first = ''] = text.split('\n', 1);
  const repeated = title !== '' && first.replace(/^#+\s+/, '').trim() === title && first.startsWith('#');
  return markdown.render(repeated ? text.slice(first.length) : text, { level });
}

/** The first words, without the signs of Markdown, and without headings if there is anything else. */
export function excerpt(text: string, title = '', length = 220): string {
  const beginning = text.slice(0, 4 * length);
  const words = plain(beginning.replace(/^#{1,6}\s.*$/gm, '')) || plain(beginning);
  return words === title ? '' : cut(words, length);
}

function plain(text: string): string {
  return text
    .replace(/^(```|~~~).*$/gm, '')
    .replace(/^[\s>]*(#{1,6}|[*+-]|\d{1,9}[.)])\s+/gm, '')
    .replace(/^[>\s]+/gm, '')
    .replace(/^[|:\s-]{3,}$/gm, '')
    .replace(/!?\[([^[\]]*)\]\([^()\s]*\)/g, '$1')
    .replace(/(\*\*|__|~~|`)/g, '')
    .replace(/(?<=^|[\s(])[*_](?=\S)|(?<=\S)[*_](?=[\s.,:;!?)]|$)/gm, '')
    .replace(/\s*\|\s*/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** What is quoted at the beginning of a text, without who said it. */
export function quoted(text: string): string {
  const [found = ''] = /^(\s*>.*\n?)+/.exec(text.slice(0, 1000)) ?? [];
  return excerpt(found);
}

/** Never through the middle of a character. */
export function cut(text: string, length: number): string {
  if (text.length <= length) return text;
  const kept = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const atWord = kept.replace(/\s+\S{0,20}$/, '');
  return `${atWord}…`;
}
