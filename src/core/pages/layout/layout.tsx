// The layout of all pages: head, header, navigation and footer.

import { currentLifetime } from '#common/request-lifetime.ts';
import { type Child, createContext, type JSX, useContext } from '#rest/jsx/jsx-runtime.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { pageHeaders } from '#rest/shared-caching.ts';
import { themes } from '#rest/theme.ts';
import { mediaPath } from '../../files/stored-files.ts';
import { lookAttributes } from '../../site/site-fields.ts';
import { isAnonymous } from '../../viewer/viewer.ts';
import { favicon, formPageStylesheet, formsScript, siteScript, stylesheet } from '../assets.ts';
import { LookStylesheets } from './accent.tsx';
import { cached } from './cached.tsx';
import { Footer } from './footer.tsx';
import { PostForm, type PostFormProps } from './form.tsx';
import { type Alternate, LayoutContext, type LayoutData, useLanguage, useLayout } from './layout-data.ts';
import { manifestPath, themeColor, touchIconPath } from './manifest.ts';
import { UserNavigation } from './user-navigation.tsx';

export interface PageProps {
  readonly title: string;
  /** After an error in its form, the title begins with that: screen readers announce the title first. */
  readonly isForm?: boolean;
  readonly status?: number;
  readonly description?: string;
  /** An absolute URL. */
  readonly canonical?: string;
  readonly alternates?: readonly Alternate[];
  /** The only origins whose pages may be framed. */
  readonly framedOrigins?: readonly string[];
  /** Style sheets and scripts besides those of every page. */
  readonly stylesheets?: readonly string[];
  readonly scripts?: readonly string[];
  /** Not only for its sender: caches may store it, with revalidation (serve-page.ts), and search engines may index it. */
  readonly isPublic?: boolean;
  /** Whether search engines may index the page, if that differs from `isPublic`. */
  readonly isIndexed?: boolean;
  /** Additional elements of the head. */
  readonly head?: Child;
  readonly search?: SearchState;
  /** The whole body is the page's own: no header and no footer of the site. */
  readonly isBare?: boolean;
  readonly children?: Child;
}

/** The value of the search field, and the filters of the list that a new search keeps. */
interface SearchState {
  readonly text: string;
  readonly hiddenFields: readonly (readonly [string, string])[];
}

/** How the page that is rendered is sent: its `Page` writes this. */
const ResponseContext = createContext({ status: 200, headers: {} });

/** `page` is a `Page`, or a component that renders one. */
export function renderPage(layout: LayoutData, page: JSX.Element): PreparedResponse {
  const endRendering = currentLifetime()?.trace?.start('render');
  const response = { status: 200, headers: {} };
  const html = String(
    <ResponseContext.Provider value={response}>
      <LayoutContext.Provider value={layout}>{page}</LayoutContext.Provider>
    </ResponseContext.Provider>,
  );
  endRendering?.();
  return prepareResponse(response.status, response.headers, `<!doctype html>${html}`);
}

export function Page(props: PageProps) {
  const { status = 200, search, children, isPublic = false, framedOrigins = [], isBare = false } = props;
  const { viewer, site, theme, language, personalParts } = useLayout();
  const { code, locale, direction, t } = language;
  const Header = isAnonymous(viewer) ? VisitorHeader : SiteHeader;
  const policy = pageHeaders['Content-Security-Policy'];
  const response = useContext(ResponseContext);
  response.status = status;
  response.headers = {
    Vary: 'Cookie, Accept-Language',
    'Content-Language': code,
    ...pageHeaders,
    ...(!isPublic && { 'Cache-Control': 'no-store' }),
    ...(framedOrigins.length > 0 && {
      'Content-Security-Policy': `${policy}; frame-src ${[...new Set(framedOrigins)].join(' ')}`,
    }),
  };
  return (
    <html lang={code} data-locale={locale} dir={direction} data-theme={theme} {...lookAttributes(site)}>
      <Head {...props} />
      {isBare ? (
        <body class="bare">{children}</body>
      ) : (
        <body>
          <a class="skip" href="#main">
            {t('layout.skip')}
          </a>
          <Header {...search} />
          <main id="main">{children}</main>
          <Footer alternates={props.alternates} />
          {personalParts.map(({ Content }) => (
            <Content />
          ))}
        </body>
      )}
    </html>
  );
}

interface FormPageProps extends Pick<PageProps, 'title' | 'status' | 'stylesheets' | 'scripts' | 'children'> {
  /** The title by default. */
  readonly heading?: Child;
  /** A second column on wide screens. */
  readonly aside?: Child;
}

interface SingleFormPageProps extends PostFormProps {
  readonly title: string;
  /** In place of the title. */
  readonly heading?: Child;
  /** What the form does. */
  readonly note: Child;
  readonly aside?: Child;
}

/** A page with a single form. */
export const SingleFormPage = ({ title, heading, note, aside, ...form }: SingleFormPageProps) => (
  <FormPage title={title} heading={heading} aside={aside}>
    <p>{note}</p>
    <PostForm {...form} formErrors={useLayout().formErrors} />
  </FormPage>
);

/** A narrow page for its sender alone. */
export function FormPage({ heading, aside, children, stylesheets = [], ...props }: FormPageProps) {
  const content = (
    <div class="narrow">
      <h1>{heading ?? props.title}</h1>
      {children}
    </div>
  );
  return (
    <Page {...props} isForm stylesheets={[formPageStylesheet, ...stylesheets]}>
      {aside ? (
        <div class="with-aside">
          {content}
          {aside}
        </div>
      ) : (
        content
      )}
    </Page>
  );
}

function Head(props: PageProps) {
  const {
    title,
    isForm,
    description,
    canonical,
    alternates = [],
    stylesheets = [],
    scripts = [],
    head,
  } = props;
  const { site, theme, formErrors, language, personalParts } = useLayout();
  const { name, logo } = site;
  const personalScripts = props.isBare ? [] : personalParts.map(({ script }) => script);
  const fullTitle = isForm && formErrors ? language.t('form.errorTitle', { title }) : title;
  const icon = logo
    ? { type: 'image/webp', href: mediaPath('image/webp', logo) }
    : { type: 'image/svg+xml', href: favicon };
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <title>{removeBidiControls(`${fullTitle} – ${name}`)}</title>
      <link rel="stylesheet" href={stylesheet} />
      <LookStylesheets site={site} />
      <link rel="icon" {...icon} />
      <link rel="apple-touch-icon" href={touchIconPath} />
      <link rel="manifest" href={manifestPath} />
      {theme ? (
        <meta name="theme-color" content={themeColor(site, theme)} />
      ) : (
        themes.map((name) => (
          <meta
            name="theme-color"
            media={`(prefers-color-scheme: ${name})`}
            content={themeColor(site, name)}
          />
        ))
      )}
      {description && <meta name="description" content={removeBidiControls(description)} />}
      {canonical && <link rel="canonical" href={canonical} />}
      {alternates.map(({ type, href, title }) => (
        <link rel="alternate" type={type} href={href} title={title} />
      ))}
      {!(props.isIndexed ?? props.isPublic) && <meta name="robots" content="noindex" />}
      {[siteScript, ...(isForm ? [formsScript] : []), ...personalScripts, ...scripts].map((script) => (
        <script type="module" src={script} />
      ))}
      {stylesheets.map((href) => (
        <link rel="stylesheet" href={href} />
      ))}
      {head}
    </head>
  );
}

function SiteHeader(search: Partial<SearchState>) {
  const { site, language } = useLayout();
  const { t } = language;
  return (
    <header class="site-header">
      <a class="logo" href="/">
        <SiteLogo />
        <bdi>{site.name}</bdi>
      </a>
      <nav class="site-nav" aria-label={t('layout.site')}>
        <a href="/">{t('layout.gallery')}</a>
        <a href="/tags/">{t('layout.tags')}</a>
      </nav>
      <SearchForm {...search} />
      <UserNavigation />
    </header>
  );
}

const VisitorHeader = cached(SiteHeader);

function SearchForm({ text, hiddenFields = [] }: Partial<SearchState>) {
  const { t } = useLanguage();
  return (
    <>
      <button
        class="icon-button"
        type="button"
        popovertarget="site-search"
        aria-label={t('layout.showSearch')}
      >
        <SearchIcon />
      </button>
      <search id="site-search" popover="auto">
        <form action="/">
          <input
            type="search"
            name="search"
            aria-label={t('layout.search')}
            placeholder={t('layout.search')}
            value={text}
          />
          {hiddenFields.map(([name, value]) => (
            <input type="hidden" name={name} value={value} />
          ))}
          <button type="submit" aria-label={t('layout.search')}>
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

/** The site's own logo, or ours. */
export function SiteLogo() {
  const { logo } = useLayout().site;
  if (!logo) return <Logo />;
  return (
    <img
      class="site-logo"
      src={mediaPath('image/webp', logo)}
      width={logo.width}
      height={logo.height}
      alt=""
    />
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
