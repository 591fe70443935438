// Request and response as they are sent with JSON, with links for the URLs.

export interface ExchangeProps {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly status: number;
  readonly reason: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Undefined if there is no body. */
  readonly data?: unknown;
}

export function Exchange({ method, target, status, reason, headers, data }: ExchangeProps) {
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
        {data !== undefined && (
          <>
            {'\n'}
            <Json data={data} />
          </>
        )}
      </pre>
    </section>
  );
}

const urlPattern = /"(https?:\/\/[^"\\]+)"/g;

function Json({ data }: { data: unknown }) {
  const text = JSON.stringify(data, null, 4);
  const parts = text.split(urlPattern);
  // Splitting by a pattern with one group: every second part is a URL.
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
