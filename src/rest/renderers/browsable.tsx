// The page that a browser gets for an address of the API: what the resource is, what it can be asked, the exchange as
// it is in JSON, and what can be done there.

import type { Address } from '../address.ts';
import type { Look } from '../look.ts';
import { addressWith, pagesOf } from '../pagination.ts';
import { methodField } from '../parsers.ts';
import type { Resource } from '../resource.ts';
import type { SiteFiles } from '../site.ts';
import { CopyAs } from './copy-as.tsx';
import { ExchangeShown } from './exchange.tsx';
import { Filters } from './filters.tsx';
import { Actions, type Forms } from './forms.tsx';
import { Pager } from './pager.tsx';

export interface BrowsablePage {
  readonly resource: Resource<never>;
  readonly files: SiteFiles;
  readonly base: string;
  /** Without a `format`, which would be the page's own. */
  readonly address: Address;
  readonly look?: Look;
  readonly method: string;
  readonly status: number;
  readonly reason: string;
  /** Of the answer as JSON. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly data: unknown;
  /** What is wrong with the query. */
  readonly wrong: Readonly<Record<string, readonly string[]>>;
  /** None where nothing is offered. */
  readonly forms?: Forms;
}

export function renderBrowsable(page: BrowsablePage): string {
  const { resource, files, address, method } = page;
  return `<!doctype html>${(
    <html lang="en" data-look={page.look}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{resource.name} – Vitrine API</title>
        <link rel="stylesheet" href={files.stylesheet} />
        <link rel="icon" type="image/svg+xml" href={files.favicon} />
        <link rel="alternate" type="application/json" href={withFormat(address, 'json')} />
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
            <Breadcrumbs address={address} />
          </nav>
          <nav class="about" aria-label="API">
            <a href="/api/v1/docs/">Documentation</a> <a href="/api/v1/schema/">OpenAPI</a>{' '}
            <a href="/api/v1/auth/session/">Sign in or out</a>
          </nav>
        </header>
        <main id="main">
          <h1>{resource.name}</h1>
          <p>{resource.description}</p>
          {resource.page && method === 'GET' && page.status === 200 ? (
            resource.page(files)
          ) : (
            <Answered {...page} />
          )}
        </main>
      </body>
    </html>
  )}`;
}

function Answered(page: BrowsablePage) {
  const { resource, base, address, method, forms } = page;
  const target = `${address.path}${address.search}`;
  const parameters = resource.operations.GET?.parameters;
  const safe = method === 'GET' || method === 'OPTIONS';
  const headers = { Accept: 'application/json', ...(forms?.token && { Authorization: 'Token YOUR_KEY' }) };
  return (
    <>
      <div class="ways-here">
        {resource.operations.GET && (
          <nav class="formats" aria-label="Formats">
            <a href={target} aria-current={method === 'GET' ? 'page' : undefined}>
              Page
            </a>{' '}
            <a href={withFormat(address, 'json')}>JSON</a>
          </nav>
        )}
        <form method="post" action={target}>
          <button type="submit" name={methodField} value="OPTIONS">
            OPTIONS
          </button>
        </form>
      </div>
      {parameters && <Filters parameters={parameters} address={address} wrong={page.wrong} />}
      <Pages {...page} />
      <ExchangeShown {...page} target={target} />
      {safe && <CopyAs request={{ method, url: base + target, headers }} />}
      {forms && <Actions {...forms} action={target} />}
    </>
  );
}

/** By number where the count is known, else as the answer has it. */
function Pages({ base, address, data }: BrowsablePage) {
  const { count, next = null, previous = null } = (data ?? {}) as Record<string, unknown>;
  const { path, query } = address;
  if (typeof count === 'number' && (next || previous)) {
    const to = (number: number) =>
      addressWith({ base, path, query }, 'page', number === 1 ? undefined : String(number));
    return <Pager {...pagesOf(count, query)} address={to} />;
  }
  if (!isAddress(next) && !isAddress(previous)) return null;
  return (
    <nav class="pager" aria-label="Pages">
      {isAddress(previous) && (
        <a rel="prev" href={previous}>
          Previous
        </a>
      )}
      {isAddress(next) && (
        <a rel="next" href={next}>
          Next
        </a>
      )}
    </nav>
  );
}

const isAddress = (value: unknown): value is string => typeof value === 'string' && /^https?:/.test(value);

/** Each part of the path that is an address of its own, but for the version's and the page's own. */
function Breadcrumbs({ address }: { address: Address }) {
  const parts = address.path.split('/').filter(Boolean).slice(2);
  const crumbs = parts.map((part, index) => ({
    part,
    href: `/api/v1/${parts.slice(0, index + 1).join('/')}/`,
  }));
  return (
    <ol class="breadcrumbs">
      <li>
        <a href="/">Gallery</a>
      </li>
      <li>
        <a href="/api/v1/">API</a>
      </li>
      {crumbs.map(({ part, href }) => (
        <li>
          <a href={href}>{part}</a>
        </li>
      ))}
    </ol>
  );
}

function withFormat({ path, query }: Address, format: string): string {
  const changed = new URLSearchParams(query);
  changed.set('format', format);
  return `${path}?${changed}`;
}
