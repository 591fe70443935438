// Names in Markdown text as links: features say which.

import type MarkdownIt from 'markdown-it';
import { namePattern } from '#common/name-pattern.ts';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];
type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

/** A name that is a link: what follows the `@` in the text, the part of it that is the name, and where it leads. */
export interface LinkedName {
  readonly written: string;
  readonly name: string;
  readonly href: string;
}

/** Splits text at the names, as long as the budget for the length of all links lasts. Code is in other tokens. */
export function linkNames(
  tokens: readonly Token[],
  TokenClass: TokenClass,
  names: readonly LinkedName[],
  budget: number,
): [tokens: Token[], budget: number] {
  let linkDepth = 0;
  let remaining = budget;
  const toText = (text: string) => Object.assign(new TokenClass('text', '', 0), { content: text });
  const linked = tokens.flatMap((token) => {
    linkDepth += token.type === 'link_open' || token.type === 'link_close' ? token.nesting : 0;
    const { content } = token;
    if (linkDepth > 0 || token.type !== 'text' || !content.includes('@')) return [token];
    const parts: Token[] = [];
    let end = 0;
    for (const { 1: written = '', index } of content.matchAll(namePattern)) {
      const found = names.find((name) => name.written === written);
      if (!found || remaining < found.href.length) continue;
      remaining -= found.href.length;
      const open = new TokenClass('link_open', 'a', 1);
      open.attrSet('href', found.href);
      const link = [open, toText(`@${found.name}`), new TokenClass('link_close', 'a', -1)];
      parts.push(toText(content.slice(end, index)), ...link);
      end = index + 1 + found.name.length;
    }
    return [...parts, toText(content.slice(end))];
  });
  return [linked, remaining];
}
