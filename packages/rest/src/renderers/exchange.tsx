// Request and response as they are sent with JSON.

import type { Child } from '../jsx/jsx-runtime.ts';
import { buildSnippets, type SnippetRequest } from './snippets.ts';

interface ExchangeProps {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined if there is no body. */
  readonly data?: unknown;
  /** The body as HTML. */
  readonly children?: Child;
}

export function Exchange({ method, target, status, reason, headers, data, children }: ExchangeProps) {
  return (
    <section class="exchange" aria-label="Request and response">
      <pre class="request">
        <b>{method}</b> {target}
      </pre>
      <pre class="response">
        <b>
          HTTP {status} {reason}
        </b>
        {'\n'}
        {headers.map(([name, value]) => (
          <>
            <b>{name}:</b> {value}
            {'\n'}
          </>
        ))}
      </pre>
      {data !== undefined && <div class="body">{children}</div>}
    </section>
  );
}

// This request as code to copy; assets/copy.js adds a button to each.

export function CopyAs({ request }: { request: SnippetRequest }) {
  return (
    <details class="copy-as">
      <summary>Copy as curl, JavaScript or Python</summary>
      {buildSnippets(request).map(({ name, text }) => (
        <section aria-label={name}>
          <h2>{name}</h2>
          <Snippet name={name} text={text} />
        </section>
      ))}
    </details>
  );
}

export function Snippet({ name, text }: { name: string; text: string }) {
  return (
    <div class="snippet">
      <pre data-copy={name}>{text}</pre>
    </div>
  );
}
