// What all pages have around them. What a page tells of itself to machines stands in its head.

import type { Child } from 'hono/jsx';
import { type Answer, answer } from '../rest/answer.ts';
import { pageHeaders } from '../rest/page-headers.ts';
import { favicon, siteScript, stylesheet } from './assets.ts';
import { Token } from './form.tsx';
import type { Frame } from './frame.ts';

/** Another form of a page. */
export interface Alternate {
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
  readonly alternates?: readonly Alternate[];
  /** The scripts that make it better, beside those of every page. */
  readonly scripts?: readonly string[];
  /** It is not for any cache. */
  readonly keeps?: 'nothing';
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

export function page(frame: Frame, { title, status = 200, alternates = [], ...more }: Page): Answer {
  const { description, canonical, head, children, listed = true, search, scripts = [] } = more;
  const body = `<!doctype html>${(
    <html lang="en" data-look={frame.look}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{withoutTurns(title)} – Vitrine</title>
        <link rel="stylesheet" href={stylesheet} />
        <link rel="icon" type="image/svg+xml" href={favicon} />
        {description && <meta name="description" content={withoutTurns(description)} />}
        {canonical && <link rel="canonical" href={canonical} />}
        {alternates.map(({ type, href, title }) => (
          <link rel="alternate" type={type} href={href} title={title} />
        ))}
        {!listed && <meta name="robots" content="noindex" />}
        {[siteScript, ...scripts].map((script) => (
          <script type="module" src={script} />
        ))}
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
          <Person {...frame} />
        </header>
        <main id="main">{children}</main>
        <footer class="foot">
          <p>A place for what people make.</p>
          <LookSwitch {...frame} />
          <nav aria-label="Other forms">
            {alternates
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
  const kept = more.keeps && { 'Cache-Control': 'no-store' };
  return answer(status, { Vary: 'Cookie', ...pageHeaders, ...kept }, body);
}

/** The way in, or what is theirs. */
function Person({ name, viewer, token, open, reports }: Frame) {
  if (name === undefined)
    return (
      <nav class="person" aria-label="You">
        {open && (
          <a href="/sign-up/" rel="nofollow">
            Sign up
          </a>
        )}
        <a href="/sign-in/" rel="nofollow">
          Sign in
        </a>
      </nav>
    );
  return (
    <nav class="person" aria-label="You">
      <a class="make" href="/new/">
        New
      </a>
      <a href="/mine/">My work</a>
      {viewer.moderates && (
        <a href="/moderation/">
          Moderation
          {reports ? (
            <>
              {' '}
              <span class="waiting">
                {reports.toLocaleString('en')}
                <span class="unseen"> open {reports === 1 ? 'report' : 'reports'}</span>
              </span>
            </>
          ) : null}
        </a>
      )}
      <a href="/account/">
        <bdi>{name}</bdi>
      </a>
      {token && (
        <form method="post" action="/sign-out/">
          <Token token={token} />
          <button class="plain" type="submit">
            Sign out
          </button>
        </form>
      )}
    </nav>
  );
}

const lookNames = { '': 'As the system', light: 'Light', dark: 'Dark' };

function LookSwitch({ look, token }: Frame) {
  return (
    <form class="look" method="post" action="/look/" aria-label="Look">
      <Token token={token} />
      {Object.entries(lookNames).map(([value, words]) => (
        <button
          class="plain"
          type="submit"
          name="look"
          value={value}
          aria-pressed={value === (look ?? '') ? 'true' : 'false'}
        >
          {words}
        </button>
      ))}
    </form>
  );
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
