import type { Child } from 'hono/jsx';
import { type Answer, answer } from '../rest/answer.ts';
import { pageHeaders } from '../rest/view.ts';
import { stylesheet } from './assets.ts';

interface Page {
  readonly title: string;
  readonly status?: number;
  /** The same as JSON. */
  readonly data?: string;
  readonly listed?: boolean;
  readonly children: Child;
}

export function page({ title, status = 200, data, listed = true, children }: Page): Answer {
  const body = `<!doctype html>${(
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>{title} – Vitrine</title>
        <link rel="stylesheet" href={stylesheet} />
        {data && <link rel="alternate" type="application/json" href={data} />}
        {!listed && <meta name="robots" content="noindex" />}
      </head>
      <body>
        <a class="skip" href="#main">
          Skip to content
        </a>
        <header>
          <a class="mark" href="/">
            Vitrine
          </a>
          <nav aria-label="Site">
            <a href="/api/v1/">API</a>
          </nav>
        </header>
        <main id="main">{children}</main>
        <footer>
          {data && (
            <a href={data} type="application/json">
              This page as JSON
            </a>
          )}
        </footer>
      </body>
    </html>
  )}`;
  return answer(status, pageHeaders, body);
}
