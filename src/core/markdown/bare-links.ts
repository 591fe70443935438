// Turns URLs in Markdown text into links. markdown-it has a rule for this, but its cost grows with the fourth power of
// the length of a text that is made for it. This rule looks at every character at most twice.

import type MarkdownIt from 'markdown-it';

type InlineRule = Parameters<InstanceType<typeof MarkdownIt>['inline']['ruler']['after']>[2];

/** A URL ends before a space, before a character that no URL contains, and before the punctuation of Chinese and Japanese. */
const urlCharacters = /[^\s\p{Cc}\p{Cf}\p{Zs}<>"`\\^|\u3000-\u303f\uff01-\uff0f\uff1a-\uff20]*/uy;

const host = /^[\p{L}\p{N}\p{M}.-]+(:\d{1,5})?(?=[/?#]|$)|^\[[\da-f:.]+\](:\d{1,5})?(?=[/?#]|$)/iu;

/** Ends a sentence or emphasis rather than a URL. */
const trailing = new Set('.,;:!?\'"*_~…');
const brackets: Readonly<Record<string, string>> = { ')': '(', ']': '[', '}': '{' };

/** Runs after the text before the colon was read: that text is in `state.pending`. */
const recognizeBareLink: InlineRule = (state, silent) => {
  const { src, pos } = state;
  if (state.linkLevel > 0 || !src.startsWith('://', pos)) return false;
  const scheme = /(?:^|[^\p{L}\p{N}])(https?)$/iu.exec(state.pending.slice(-8))?.[1];
  if (scheme === undefined) return false;
  urlCharacters.lastIndex = pos + 3;
  const run = urlCharacters.exec(src)?.[0] ?? '';
  const rest = trimEnd(run);
  const url = `${scheme}://${rest}`;
  const href = isUrl(rest) ? state.md.normalizeLink(url) : '';
  const isLink = href !== '' && state.md.validateLink(href);
  if (!silent) {
    if (isLink) {
      state.pending = state.pending.slice(0, -scheme.length);
      const open = state.push('link_open', 'a', 1);
      open.attrSet('href', href);
      state.push('text', '', 0).content = url;
      state.push('link_close', 'a', -1);
    } else {
      // The whole run is skipped: otherwise it would be read again from every `http:` in it.
      state.pending += `://${rest}`;
    }
  }
  state.pos = pos + 3 + rest.length;
  return true;
};

function isUrl(rest: string): boolean {
  return rest.length <= maxUrlLength && host.test(rest);
}

const maxUrlLength = 2000;

/** Removes punctuation at the end, and closing brackets that are not opened in the URL. */
function trimEnd(run: string): string {
  const unopened: Record<string, number> = { ')': 0, ']': 0, '}': 0 };
  for (const character of run) {
    for (const [close, open] of Object.entries(brackets)) {
      if (character === close) unopened[close] = (unopened[close] ?? 0) + 1;
      if (character === open) unopened[close] = (unopened[close] ?? 0) - 1;
    }
  }
  let end = run.length;
  for (; end > 0; end--) {
    const last = run[end - 1] ?? '';
    if (trailing.has(last)) continue;
    if (!(last in brackets) || (unopened[last] ?? 0) <= 0) break;
    unopened[last] = (unopened[last] ?? 0) - 1;
  }
  return run.slice(0, end);
}

export function linkBareUrls(markdown: InstanceType<typeof MarkdownIt>): void {
  markdown.inline.ruler.after('text', 'bare_link', recognizeBareLink);
}

/** The host of a link, shortened and as browsers display it. */
export function formatHost(link: string): string {
  return URL.parse(link)?.host.replace(/^www\./, '') ?? link;
}
