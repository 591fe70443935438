// The layout of all pages: head, header, navigation and footer.

import type { Child } from 'hono/jsx';
import { pageHeaders } from '../rest/page-headers.ts';
import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import { favicon, siteScript, stylesheet } from './assets.ts';
import { Avatar } from './avatar.tsx';
import { CsrfField } from './form.tsx';
import { LayoutContext, type LayoutData, maxShownReports, useLayout } from './layout-data.ts';

/** Another representation of a page, as a link in its head. */
export interface Alternate {
  readonly type: string;
  readonly href: string;
  readonly title: string;
}

export interface PageContent {
  readonly title: string;
  readonly status?: number;
  readonly description?: string;
  /** An absolute URL. */
  readonly canonical?: string;
  readonly alternates?: readonly Alternate[];
  /** Scripts besides the one of every page. */
  readonly scripts?: readonly string[];
  /** Without this the page is revalidated (serve.ts). */
  readonly cache?: 'no-store';
  /** Whether search engines may index the page; true by default. */
  readonly isIndexed?: boolean;
  /** Additional elements of the head. */
  readonly head?: Child;
  readonly search?: SearchState;
  readonly children: Child;
}

/** The value of the search field, and the filters of the list that a new search keeps. */
interface SearchState {
  readonly text: string;
  readonly hiddenFields: readonly (readonly [string, string])[];
}

const alternateNames: Record<string, string> = {
  'application/json': 'JSON',
  'application/atom+xml': 'Atom feed',
  'application/feed+json': 'JSON feed',
};

export function renderPage(layout: LayoutData, content: PageContent): PreparedResponse {
  const { status = 200, alternates = [], search, children, cache } = content;
  const body = `<!doctype html>${(
    <LayoutContext.Provider value={layout}>
      <html lang="en" data-theme={layout.theme}>
        <Head {...content} />
        <body>
          <a class="skip" href="#main">
            Skip to content
          </a>
          <header class="site-header">
            <a class="logo" href="/">
              <Logo />
              Vitrine
            </a>
            <nav class="site-nav" aria-label="Site">
              <a href="/">Gallery</a>
              <a href="/tags/">Tags</a>
            </nav>
            <SearchForm {...search} />
            <UserNavigation />
          </header>
          <main id="main">{children}</main>
          <footer class="site-footer">
            <p>Made by people, for people.</p>
            <ThemeSwitch />
            <nav aria-label="Other formats">
              {alternates
                .filter(({ type }) => alternateNames[type])
                .map(({ type, href }) => (
                  <a href={href} type={type}>
                    {alternateNames[type]}
                  </a>
                ))}
              <a href="/api/v1/">API</a>
            </nav>
          </footer>
        </body>
      </html>
    </LayoutContext.Provider>
  )}`;
  const cacheHeaders = cache && { 'Cache-Control': cache };
  return prepareResponse(status, { Vary: 'Cookie', ...pageHeaders, ...cacheHeaders }, body);
}

function Head({
  title,
  description,
  canonical,
  alternates = [],
  isIndexed = true,
  scripts = [],
  head,
}: PageContent) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{removeBidiControls(title)} – Vitrine</title>
      <link rel="stylesheet" href={stylesheet} />
      <link rel="icon" type="image/svg+xml" href={favicon} />
      {description && <meta name="description" content={removeBidiControls(description)} />}
      {canonical && <link rel="canonical" href={canonical} />}
      {alternates.map(({ type, href, title }) => (
        <link rel="alternate" type={type} href={href} title={title} />
      ))}
      {!isIndexed && <meta name="robots" content="noindex" />}
      {[siteScript, ...scripts].map((script) => (
        <script type="module" src={script} />
      ))}
      {head}
    </head>
  );
}

function SearchForm({ text, hiddenFields = [] }: Partial<SearchState>) {
  return (
    <>
      <button class="icon-button" type="button" popovertarget="site-search" aria-label="Show search">
        <SearchIcon />
      </button>
      <search id="site-search" popover="auto">
        <form action="/">
          <input type="search" name="search" aria-label="Search" placeholder="Search" value={text} />
          {hiddenFields.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit" aria-label="Search">
            <SearchIcon />
          </button>
        </form>
      </search>
    </>
  );
}

function SearchIcon() {
  return (
    <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
      <path d="M15.5 15.5 21 21M17 10.5a6.5 6.5 0 1 1-13 0 6.5 6.5 0 0 1 13 0z" class="icon" />
    </svg>
  );
}

/** Links to sign in, or to the viewer's own pages. */
function UserNavigation() {
  const { name, viewer, csrfToken, canSignUp, openReportCount } = useLayout();
  if (name === undefined)
    return (
      <nav class="user-nav" aria-label="You">
        {canSignUp && (
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
    <nav class="user-nav" aria-label="You">
      <a class="new-project" href="/new/">
        Create
      </a>
      <details class="menu">
        <summary>
          {viewer.contributor !== null && <Avatar person={{ contributor: viewer.contributor, name }} />}
          <bdi class="own-name">{name}</bdi>
          {openReportCount ? <Badge count={openReportCount} /> : null}
        </summary>
        <ul>
          <li>
            <a href="/mine/">My projects</a>
          </li>
          {viewer.isModerator && (
            <li>
              <a href="/moderation/">
                Moderation{openReportCount ? <Badge count={openReportCount} /> : null}
              </a>
            </li>
          )}
          <li>
            <a href="/account/">Account</a>
          </li>
          {csrfToken && (
            <li>
              <form method="post" action="/sign-out/">
                <CsrfField />
                <button class="plain" type="submit">
                  Sign out
                </button>
              </form>
            </li>
          )}
        </ul>
      </details>
    </nav>
  );
}

function Badge({ count }: { count: number }) {
  return (
    <>
      {' '}
      <span class="badge">
        {count > maxShownReports ? `${maxShownReports}+` : count}
        <span class="visually-hidden"> open {count === 1 ? 'report' : 'reports'}</span>
      </span>
    </>
  );
}

const themeNames = { '': 'Automatic', light: 'Light', dark: 'Dark' };

function ThemeSwitch() {
  const { theme } = useLayout();
  return (
    <form class="theme-switch" method="post" action="/theme/" aria-label="Theme">
      <CsrfField />
      {Object.entries(themeNames).map(([value, label]) => (
        <button
          class="plain"
          type="submit"
          name="theme"
          value={value}
          aria-pressed={value === (theme ?? '') ? 'true' : 'false'}
        >
          {label}
        </button>
      ))}
    </form>
  );
}

/** A display case with an object on each of its two shelves. */
export function Logo({ size = 28, isEmpty = false }: { size?: number; isEmpty?: boolean }) {
  return (
    <svg class="logo-image" viewBox="0 0 32 32" width={size} height={size} aria-hidden="true">
      <rect class="case" width="32" height="32" rx="7" />
      <path class="shelf" d="M7 16h18M7 25h18" />
      {!isEmpty && (
        <>
          <circle class="object" cx="12" cy="11" r="3.4" />
          <path class="object" d="M15 23.2V18.6h7v4.6z" />
        </>
      )}
    </svg>
  );
}

/** For places where `<bdi>` is not possible: a control character would also change the direction of the text after it. */
export function removeBidiControls(text: string): string {
  return text.replace(/[\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '');
}
