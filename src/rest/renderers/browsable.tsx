// The page that browsers get for a URL of the API: the resource, its parameters, the exchange as JSON, and forms for the
// operations that the viewer may use.

import { isJsonObject } from '../../json.ts';
import { createPageUrl, findPageNumbers } from '../pagination.ts';
import { methodField } from '../parsers.ts';
import type { RequestUrl } from '../request-url.ts';
import type { Resource } from '../resource.ts';
import type { Site } from '../site.ts';
import type { Theme } from '../theme.ts';
import { CopyAs } from './copy-as.tsx';
import { Exchange } from './exchange.tsx';
import { type Forms, OperationForms } from './operation-forms.tsx';
import { Pager } from './pager.tsx';
import { ParameterForm } from './parameter-form.tsx';

export interface BrowsablePage {
  readonly resource: Resource<never>;
  readonly site: Site;
  readonly origin: string;
  /** Without the `format` of the page itself. */
  readonly url: RequestUrl;
  readonly theme?: Theme;
  readonly method: string;
  readonly status: number;
  readonly reason: string;
  /** The headers of the JSON response. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: unknown;
  /** Errors of query parameters. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Undefined if the page shows no forms. */
  readonly forms?: Forms;
}

export function renderBrowsable(page: BrowsablePage): string {
  const { resource, site, url, method } = page;
  const { files } = site;
  const { heading = resource.name } = resource;
  return `<!doctype html>${(
    <html lang="en" data-theme={page.theme}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${heading} – ${site.name}`}</title>
        <link rel="stylesheet" href={files.stylesheet} />
        <link rel="icon" type="image/svg+xml" href={files.favicon} />
        <link rel="alternate" type="application/json" href={withFormat(url, 'json')} />
        <meta name="robots" content="noindex" />
        {files.scripts.map((script) => (
          <script type="module" src={script} />
        ))}
      </head>
      <body class="api">
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header>
          <nav aria-label="Breadcrumb">
            <Breadcrumbs url={url} site={site} />
          </nav>
          <nav class="about" aria-label="API">
            {site.links.map(({ label, href }, index) => (
              <>
                {index > 0 && ' '}
                <a href={href}>{label}</a>
              </>
            ))}
          </nav>
        </header>
        <main id="main">
          <h1>{heading}</h1>
          <p>{resource.description}</p>
          {resource.renderPage && method === 'GET' && page.status === 200 ? (
            resource.renderPage(files)
          ) : (
            <RequestAndResponse {...page} />
          )}
        </main>
      </body>
    </html>
  )}`;
}

function RequestAndResponse(page: BrowsablePage) {
  const { resource, origin, url, method, forms } = page;
  const target = `${url.path}${url.search}`;
  const parameters = resource.operations.GET?.parameters;
  const safe = method === 'GET' || method === 'OPTIONS';
  const headers = {
    Accept: 'application/json',
    ...(forms?.csrfToken && { Authorization: 'Token YOUR_KEY' }),
  };
  return (
    <>
      <div class="page-links">
        {resource.operations.GET && (
          <nav class="formats" aria-label="Formats">
            <a href={target} aria-current={method === 'GET' ? 'page' : undefined}>
              Page
            </a>{' '}
            <a href={withFormat(url, 'json')}>JSON</a>
          </nav>
        )}
        <form method="post" action={target}>
          <button type="submit" name={methodField} value="OPTIONS">
            OPTIONS
          </button>
        </form>
      </div>
      {parameters && <ParameterForm parameters={parameters} url={url} errors={page.errors} />}
      <PageLinks {...page} />
      <Exchange {...page} target={target} />
      {safe && <CopyAs request={{ method, url: origin + target, headers }} />}
      {forms && <OperationForms {...forms} action={target} />}
    </>
  );
}

/** Page numbers if the count is known, else the response's own links. */
function PageLinks({ origin, url, data }: BrowsablePage) {
  const { count, next = null, previous = null } = isJsonObject(data) ? data : {};
  if (typeof count === 'number' && (next || previous)) {
    const urlOf = createPageUrl(`${origin}${url.path}`, url.query);
    return <Pager {...findPageNumbers(count, url.query)} urlOf={urlOf} />;
  }
  if (!isUrl(next) && !isUrl(previous)) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {isUrl(previous) && (
        <a rel="prev" href={previous}>
          Previous
        </a>
      )}
      {isUrl(next) && (
        <a rel="next" href={next}>
          Next
        </a>
      )}
    </nav>
  );
}

const isUrl = (value: unknown): value is string => typeof value === 'string' && /^https?:/.test(value);

/** A link for each part of the path below the root. */
function Breadcrumbs({ url, site: { root, home } }: Pick<BrowsablePage, 'url' | 'site'>) {
  const split = (path: string) => path.split('/').filter(Boolean);
  const segments = split(url.path).slice(split(root).length);
  const crumbs = segments.map((segment, index) => ({
    segment,
    href: `${root}${segments.slice(0, index + 1).join('/')}/`,
  }));
  return (
    <ol class="breadcrumbs">
      <li>
        <a href={home.href}>{home.label}</a>
      </li>
      <li>
        <a href={root}>API</a>
      </li>
      {crumbs.map(({ segment, href }) => (
        <li>
          <a href={href}>{segment}</a>
        </li>
      ))}
    </ol>
  );
}

function withFormat({ path, query }: RequestUrl, format: string): string {
  const parameters = new URLSearchParams(query);
  parameters.set('format', format);
  return `${path}?${parameters}`;
}
