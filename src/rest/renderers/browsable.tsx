// The page that a browser gets for an address of the API: what the resource is, and its JSON with links to follow.

import type { Address } from '../address.ts';
import type { Resource } from '../resource.ts';
import { Actions, type Forms } from './forms.tsx';

export type { Forms };

export interface BrowsablePage {
  readonly resource: Resource<never>;
  readonly stylesheet: string;
  readonly address: Address;
  readonly method: string;
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly data: unknown;
  /** None where nothing is offered. */
  readonly forms?: Forms;
}

export function renderBrowsable(page: BrowsablePage): string {
  const { resource, stylesheet, address, status, data } = page;
  const { next = null, previous = null } = (data ?? {}) as { next?: string | null; previous?: string | null };
  return `<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{resource.name} – Vitrine API</title>
        <link rel="stylesheet" href={stylesheet} />
        <link rel="alternate" type="application/json" href={withFormat(address, 'json')} />
        <meta name="robots" content="noindex" />
      </head>
      <body class="api">
        <header>
          <nav aria-label="Breadcrumb">
            <Breadcrumbs address={address} />
          </nav>
        </header>
        <main>
          <h1>{resource.name}</h1>
          <p>{resource.description}</p>
          <p class="actions">
            <a href={withFormat(address, 'json')}>JSON</a> <a href="/api/v1/schema/">OpenAPI</a>{' '}
            <a href="/api/v1/auth/session/">Sign in or out</a>
            {previous && (
              <a rel="prev" href={previous}>
                Previous page
              </a>
            )}
            {next && (
              <a rel="next" href={next}>
                Next page
              </a>
            )}
          </p>
          <pre class="request">
            <b>{page.method}</b> {address.path}
            {address.search}
          </pre>
          <pre class="response">
            <b>HTTP {status}</b>
            {'\n'}
            {Object.entries(page.headers).map(([name, value]) => (
              <>
                <b>{name}:</b> {value}
                {'\n'}
              </>
            ))}
            {'\n'}
            {data !== undefined && <Json data={data} />}
          </pre>
          {page.forms && <Actions {...page.forms} action={`${address.path}${address.search}`} />}
        </main>
      </body>
    </html>
  )}`;
}

/** Each part of the path that is an address of its own, but for the version's and the page's own. */
function Breadcrumbs({ address }: { address: Address }) {
  const parts = address.path
    .replace(/\.[a-z0-9]+$/, '')
    .split('/')
    .filter(Boolean)
    .slice(2);
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

const link = /"(https?:\/\/[^"\\]+)"/g;

function Json({ data }: { data: unknown }) {
  const text = JSON.stringify(data, null, 4);
  const parts = text.split(link);
  // Splitting by a pattern with one group: every other part is an address.
  return (
    <>
      {parts.map((part, index) =>
        index % 2 ? (
          <>
            &quot;<a href={part}>{part}</a>&quot;
          </>
        ) : (
          part
        ),
      )}
    </>
  );
}

function withFormat({ path, query }: Address, format: string): string {
  const changed = new URLSearchParams(query);
  changed.set('format', format);
  return `${path}?${changed}`;
}
