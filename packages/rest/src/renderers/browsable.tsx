// The page that browsers get for a URL of the API: the resource, its parameters, the exchange as JSON, and forms for the
// operations that the viewer may use.

import { isJsonObject } from '../../../common/src/json.ts';
import { raw } from '../jsx/jsx-runtime.ts';
import { listFormats } from '../list-formats.ts';
import { createPageUrl, findPageNumbers } from '../pagination.ts';
import { methodField } from '../parsers.ts';
import { type RequestUrl, urlWithParameters } from '../request-url.ts';
import type { Parameters, Resource } from '../resource.ts';
import type { Site, SiteIdentity } from '../site.ts';
import type { Theme } from '../theme.ts';
import { Joined } from './code-text.tsx';
import { CopyAs, Exchange } from './exchange.tsx';
import { listChoices, ParameterForm } from './form-field.tsx';
import { maxTextLength } from './json-view.ts';
import { isLongList } from './long-list.ts';
import { type Forms, OperationForms } from './operation-forms.tsx';
import { findRecords, Pager, Table } from './table.tsx';

export interface BrowsablePage {
  readonly resource: Resource<never>;
  readonly site: Site;
  readonly identity: SiteIdentity;
  readonly origin: string;
  /** Without the `format` of the page itself. */
  readonly url: RequestUrl;
  readonly pathParameters: Readonly<Record<string, string>>;
  readonly theme?: Theme;
  readonly method: string;
  readonly status: number;
  readonly reason: string;
  /** The headers of the JSON response. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: unknown;
  /** The data as HTML, if the page shows it as JSON. */
  readonly json: string | undefined;
  /** The parts of the JSON are folded at first. */
  readonly isFolded: boolean;
  /** The page shows a list as a table. */
  readonly isTable: boolean;
  readonly signedInAs: string | undefined;
  /** Errors of query parameters. */
  readonly errors: Readonly<Record<string, readonly string[]>>;
  /** Undefined if the page shows no forms. */
  readonly forms?: Forms;
}

export function renderBrowsable(page: BrowsablePage): string {
  const { resource, site, identity, url, method } = page;
  const { files } = site;
  const ownPage = method === 'GET' && page.status === 200 ? resource.renderPage?.(page) : undefined;
  const { title = resource.heading ?? resource.name } = ownPage ?? {};
  return `<!doctype html>${(
    <html lang="en" data-theme={page.theme} {...identity.rootAttributes}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{`${title} – ${identity.name}`}</title>
        <meta name="description" content={resource.description} />
        <link rel="stylesheet" href={files.stylesheet} />
        {identity.stylesheet && <link rel="stylesheet" href={identity.stylesheet} />}
        {ownPage && <link rel="stylesheet" href={files.documentation.stylesheet} />}
        {files.favicon && <link rel="icon" type="image/svg+xml" href={files.favicon} />}
        <link rel="alternate" type="application/json" href={withFormat(url, 'json')} />
        <meta name="robots" content="noindex" />
        {[...files.scripts, ...(ownPage ? [files.documentation.script] : [])].map((script) => (
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
            <Joined parts={site.links.map(({ label, href }) => <a href={href}>{label}</a>)} separator=" " />{' '}
            {site.session && (
              <a href={site.session.href}>
                {page.signedInAs === undefined ? (
                  site.session.label
                ) : (
                  <>
                    <span>Signed in as </span>
                    <bdi>{page.signedInAs}</bdi>
                  </>
                )}
              </a>
            )}
          </nav>
        </header>
        <main id="main">
          <h1>{title}</h1>
          <p>{resource.description}</p>
          {ownPage ? ownPage.content : <RequestAndResponse {...page} />}
        </main>
      </body>
    </html>
  )}`;
}

/** A list without filters is the same for everybody; a single record, or a list with filters, may have more for its viewer. */
const needsKey = ({ resource, url, forms }: BrowsablePage) =>
  resource.operations.GET?.isPrivate || (forms?.csrfToken && (url.search || resource.path.includes(':')));

function RequestAndResponse(page: BrowsablePage) {
  const { resource, origin, url, method, forms, isTable } = page;
  const target = `${url.path}${url.search}`;
  const parameters = resource.operations.GET?.parameters;
  const safe = method === 'GET' || method === 'OPTIONS';
  const headers = {
    Accept: 'application/json',
    ...(needsKey(page) && { Authorization: 'Token YOUR_KEY' }),
  };
  return (
    <>
      <div class="page-links">
        {resource.operations.GET && (
          <nav class="formats" aria-label="Formats">
            <a href={target} aria-current={method === 'GET' && !isTable ? 'page' : undefined}>
              Page
            </a>{' '}
            {findRecords(page.data) && (
              <>
                <a href={withFormat(url, 'table')} aria-current={isTable ? 'page' : undefined}>
                  Table
                </a>{' '}
              </>
            )}
            <a href={withFormat(url, 'json')}>JSON</a>
            {resource.operations.GET.list &&
              Object.keys(listFormats).map((format) => (
                <>
                  {' '}
                  <a href={wholeListUrl(url, format, resource.operations.GET?.parameters)}>
                    {format.toUpperCase()}
                  </a>
                </>
              ))}
          </nav>
        )}
        <form method="post" action={target}>
          <button class="quiet" type="submit" name={methodField} value="OPTIONS">
            OPTIONS
          </button>
        </form>
      </div>
      {parameters && (
        <ParameterForm parameters={parameters} url={url} isTable={isTable} errors={page.errors} />
      )}
      <PageLinks {...page} />
      {page.json !== undefined && isLongList(page.data) && (
        <p class="notice">
          This response is long: texts are cut after {maxTextLength} characters.{' '}
          <a href={withFormat(url, 'json')}>The JSON</a> has all of them.
        </p>
      )}
      {page.isFolded && (
        <p class="notice">
          This document is long, and its parts are folded.{' '}
          <a href={withFormat(url, 'json')} download="">
            Download it
          </a>
        </p>
      )}
      <Exchange {...page} headers={page.json === undefined ? [] : page.headers} target={target}>
        {page.json === undefined ? <RecordTable {...page} /> : raw(page.json)}
      </Exchange>
      {safe && <CopyAs request={{ method, url: origin + target, headers }} />}
      {forms && <OperationForms {...forms} action={target} />}
    </>
  );
}

/** The heading of a column sorts by it, if the list can be sorted so. */
function RecordTable({ resource, url, data }: BrowsablePage) {
  const choices = listChoices(resource.operations.GET?.parameters?.[orderingParameter]) ?? [];
  const present = url.query.get(orderingParameter);
  const orderBy = (member: string) => {
    const orders = [member, `-${member}`].filter((order) => choices.includes(order));
    const next = orders.find((order) => order !== present);
    if (next === undefined) return undefined;
    const changes = { [orderingParameter]: next, page: '', cursor: '', offset: '' };
    return {
      href: urlWithParameters(url.path, tableQuery(url), changes),
      direction:
        present === member
          ? ('ascending' as const)
          : present === `-${member}`
            ? ('descending' as const)
            : undefined,
    };
  };
  return <Table records={findRecords(data) ?? []} orderBy={orderBy} />;
}

const orderingParameter = 'ordering';

const tableQuery = ({ query }: RequestUrl) => new URLSearchParams([...query, ['format', 'table']]);

/** Page numbers if the count is known, else the response's own links. The pages of a table are tables too. */
function PageLinks({ origin, url, data, isTable }: BrowsablePage) {
  const { count, next = null, previous = null } = isJsonObject(data) ? data : {};
  const numbers = typeof count === 'number' ? findPageNumbers(count, url.query) : undefined;
  if (numbers && (next || previous)) {
    const urlOf = createPageUrl(`${origin}${url.path}`, isTable ? tableQuery(url) : url.query);
    return <Pager {...numbers} urlOf={urlOf} />;
  }
  if (!isUrl(next) && !isUrl(previous)) return null;
  const keepTable = (href: string) => (isTable ? `${href}&format=table` : href);
  return (
    <nav class="pager" aria-label="Pages">
      {isUrl(previous) && (
        <a rel="prev" href={keepTable(previous)}>
          Previous
        </a>
      )}
      {isUrl(next) && (
        <a rel="next" href={keepTable(next)}>
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

/** Without the parameters that choose a page. */
function wholeListUrl({ path, query }: RequestUrl, format: string, parameters: Parameters = {}): string {
  const pages = Object.entries(parameters).filter(([, { isForPages }]) => isForPages);
  const changes = Object.fromEntries(pages.map(([name]) => [name, '']));
  return urlWithParameters(path, query, { ...changes, format });
}
