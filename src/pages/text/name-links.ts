// Names in Markdown text as links: see ../../gallery/mentions/.

import type MarkdownIt from 'markdown-it';
import { namePattern } from '../../gallery/mentions/mention.ts';

type Token = ReturnType<InstanceType<typeof MarkdownIt>['parse']>[number];
type TokenClass = new (type: string, tag: string, nesting: -1 | 0 | 1) => Token;

/** A name that is a link: what follows the `@` in the text, the part of it that is the name, and where it leads. */
export interface LinkedName {
  readonly written: string;
  readonly name: string;
  readonly href: string;
}

/** Splits text at the names. Code is in other tokens. */
export function linkNames(
  tokens: readonly Token[],
  TokenClass: TokenClass,
  names: readonly LinkedName[],
): Token[] {
  let linkDepth = 0;
  return tokens.flatMap((token) => {
    linkDepth += token.type === 'link_open' || token.type === 'link_close' ? token.nesting : 0;
    if (linkDepth > 0 || token.type !== 'text' || !token.content.includes('@')) return [token];
    return splitAtNames(token.content, TokenClass, names);
  });
}

function splitAtNames(content: string, TokenClass: TokenClass, names: readonly LinkedName[]): Token[] {
  const toText = (text: string) => Object.assign(new TokenClass('text', '', 0), { content: text });
  const parts: Token[] = [];
  let end = 0;
  for (const { 1: written = '', index } of content.matchAll(namePattern)) {
    const found = names.find((name) => name.written === written);
    if (!found) continue;
    const open = new TokenClass('link_open', 'a', 1);
    open.attrSet('href', found.href);
    const link = [open, toText(`@${found.name}`), new TokenClass('link_close', 'a', -1)];
    parts.push(toText(content.slice(end, index)), ...link);
    end = index + 1 + found.name.length;
  }
  return [...parts, toText(content.slice(end))];
}
