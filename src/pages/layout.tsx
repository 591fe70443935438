// What all pages have around them. What a page tells of itself to machines stands in its head.

import type { Child } from 'hono/jsx';
import { type Answer, answer } from '../rest/answer.ts';
import { pageHeaders } from '../rest/view.ts';
import { favicon, stylesheet } from './assets.ts';

/** Another form of a page. */
export interface Form {
  readonly type: string;
  readonly href: string;
  readonly title: string;
}

export interface Page {
  readonly title: string;
  readonly status?: number;
  readonly description?: string;
  /** Its one true address, complete. */
  readonly canonical?: string;
  readonly forms?: readonly Form[];
  /** Robots may keep it. */
  readonly listed?: boolean;
  /** More for the head. */
  readonly head?: Child;
  /** What the search field holds, and what a search keeps of a list's other choices. */
  readonly search?: { readonly text: string; readonly within: readonly (readonly [string, string])[] };
  readonly children: Child;
}

const named: Record<string, string> = {
  'application/json': 'JSON',
  'application/atom+xml': 'Atom feed',
  'application/feed+json': 'JSON feed',
};

export function page({ title, status = 200, forms = [], listed = true, search, ...more }: Page): Answer {
  const { description, canonical, head, children } = more;
  const body = `<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{withoutTurns(title)} – Vitrine</title>
        <link rel="stylesheet" href={stylesheet} />
        <link rel="icon" type="image/svg+xml" href={favicon} />
        {description && <meta name="description" content={withoutTurns(description)} />}
        {canonical && <link rel="canonical" href={canonical} />}
        {forms.map(({ type, href, title }) => (
          <link rel="alternate" type={type} href={href} title={title} />
        ))}
        {!listed && <meta name="robots" content="noindex" />}
        {head}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header class="top">
          <a class="mark" href="/">
            <Mark />
            Vitrine
          </a>
          <search>
            <form action="/">
              <input
                type="search"
                name="search"
                aria-label="Search"
                placeholder="Search"
                value={search?.text}
              />
              {search?.within.map(([name, value]) => (
                <input type="hidden" name={name} value={value} />
              ))}
              <button type="submit">Search</button>
            </form>
          </search>
          <nav aria-label="Site">
            <a href="/">Gallery</a>
            <a href="/tags/">Tags</a>
          </nav>
        </header>
        <main id="main">{children}</main>
        <footer class="foot">
          <p>A place for what people make.</p>
          <nav aria-label="Other forms">
            {forms
              .filter(({ type }) => named[type])
              .map(({ type, href }) => (
                <a href={href} type={type}>
                  {named[type]}
                </a>
              ))}
            <a href="/api/v1/">API</a>
          </nav>
        </footer>
      </body>
    </html>
  )}`;
  return answer(status, pageHeaders, body);
}

/** A case with two shelves, and something on each. */
export function Mark({ size = 28 }: { size?: number }) {
  return (
    <svg class="sign" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect class="case" width="32" height="32" rx="7" />
      <path class="shelf" d="M7 16h18M7 25h18" />
      <circle class="thing" cx="12" cy="11" r="3.4" />
      <path class="thing" d="M15 23.2V18.6h7v4.6z" />
    </svg>
  );
}

/** Where nothing can be set apart, a sign that turns the direction would turn what stands behind it too. */
export function withoutTurns(text: string): string {
  return text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
