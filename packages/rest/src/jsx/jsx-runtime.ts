// Turns JSX into HTML, at once and without promises. TypeScript and Bun call `jsx` for every element in a .tsx file (see
// tsconfig.json). The types of HTML's elements are Hono's, whose own renderer takes several times as long.

import type { JSX as HtmlTypes } from 'hono/jsx/jsx-runtime';
import { escapeHtml } from '../runtime.ts';

export type Child = string | number | boolean | null | undefined | HtmlElement | Html | readonly Child[];

/** The values of the attributes, or what a component receives. */
type Props = Readonly<Record<string, unknown>> & { readonly children?: Child };
type Component = (props: never) => Child;

class HtmlElement {
  constructor(
    readonly tag: string | Component,
    readonly props: Props,
  ) {}

  toString(): string {
    const outerHtml = html;
    html = '';
    try {
      append(this);
      return html;
    } finally {
      html = outerHtml;
    }
  }
}

/** Text that is HTML already. */
class Html {
  constructor(readonly text: string) {}

  toString(): string {
    return this.text;
  }
}

/** Inserts HTML without escaping it. */
export const raw = (text: string): Html => new Html(text);

export const jsx = (tag: string | Component, props: Props): HtmlElement => new HtmlElement(tag, props);
export const jsxs = jsx;
export const jsxDEV = jsx;
export const Fragment = ({ children }: { readonly children?: Child }): Child => children;

export namespace JSX {
  export type Element = HtmlElement;
  export type ElementType = string | Component;
  export interface ElementChildrenAttribute {
    children: unknown;
  }
  export interface IntrinsicElements extends HtmlTypes.IntrinsicElements {}
}

/** A value for all components within a Provider. */
interface Context<Value> {
  readonly Provider: (props: { readonly value: Value; readonly children?: Child }) => Child;
  value: Value;
}

export function createContext<Value>(value: Value): Context<Value> {
  const context: Context<Value> = {
    value,
    Provider({ value, children }) {
      const outerValue = context.value;
      context.value = value;
      try {
        return raw(String(new HtmlElement(Fragment, { children })));
      } finally {
        context.value = outerValue;
      }
    },
  };
  return context;
}

export const useContext = <Value>({ value }: Context<Value>): Value => value;

/** The HTML so far of the element that is being rendered. */
let html = '';

function append(child: Child): void {
  if (typeof child === 'string') html += escapeHtml(child);
  else if (typeof child === 'number') html += child;
  else if (child instanceof HtmlElement) appendElement(child.tag, child.props);
  else if (child instanceof Html) html += child.text;
  else if (Array.isArray(child)) for (const each of child) append(each);
}

function appendElement(tag: HtmlElement['tag'], props: Props): void {
  if (typeof tag === 'function') {
    append(tag(props as never));
    return;
  }
  html += `<${tag}`;
  for (const name in props) if (name !== 'children') appendAttribute(name, props[name]);
  if (voidElements.has(tag)) {
    html += '/>';
    return;
  }
  html += '>';
  append(props.children);
  html += `</${tag}>`;
}

function appendAttribute(name: string, value: unknown): void {
  if (value === undefined || value === null) return;
  if (typeof value === 'boolean' && !textualBooleans.test(name)) {
    if (value) html += ` ${name}=""`;
  } else html += ` ${name}="${escapeHtml(String(value))}"`;
}

/** Attributes whose absence does not mean false. */
const textualBooleans = /^(aria-|data-|draggable$|spellcheck$|contenteditable$)/;

const voidElements = new Set([
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
]);
