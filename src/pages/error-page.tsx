import { Invalid, QuotaExceeded } from '../errors.ts';
import { toErrorResponse } from '../rest/exceptions.ts';
import type { PreparedResponse } from '../rest/prepared-response.ts';
import { Logo, renderPage } from './layout.tsx';
import type { LayoutData } from './layout-data.ts';

const errorTexts: Record<number, { heading: string; message: string }> = {
  400: { heading: 'That didn’t work', message: 'Something in the address isn’t right.' },
  403: { heading: 'You can’t do that', message: 'This belongs to someone else.' },
  404: {
    heading: 'This shelf is empty',
    message: 'What you’re looking for may have been deleted, or it may be private.',
  },
  500: {
    heading: 'Something went wrong',
    message: 'It’s not your fault. We’ve logged the problem. Please try again in a while.',
  },
  503: {
    heading: 'Back in a moment',
    message: 'The gallery is taking a short break. Please try again soon.',
  },
};

/** `id` is the request id, by which the operator finds the request in the log. */
export function renderErrorPage(
  layout: LayoutData,
  error: unknown,
  id: string,
  allowedMethods: string,
): PreparedResponse {
  const { status, title, headers, data } = toErrorResponse(error);
  const detail = String(data.detail ?? '');
  const text =
    error instanceof QuotaExceeded
      ? { heading: 'Your account is full', message: detail }
      : (errorTexts[status] ?? { heading: title, message: detail });
  const response = renderPage(layout, {
    title: text.heading,
    status,
    isIndexed: false,
    children: (
      <div class="error">
        {status === 404 && <Logo size={96} isEmpty />}
        <p class="code">{status}</p>
        <h1>{text.heading}</h1>
        <p>{status < 404 ? String(data.detail ?? text.message) : text.message}</p>
        {error instanceof Invalid && (
          <ul>
            {Object.entries(error.fields).map(([name, messages]) => (
              <li>
                <code>{name}</code>: {messages.join(' ')}
              </li>
            ))}
          </ul>
        )}
        {status === 404 && <p>Try searching for it.</p>}
        {status >= 500 && (
          <p>
            If you report this, please include this code: <code>{id}</code>
          </p>
        )}
        <ul class="links">
          <li>
            <a href="/">See what’s new</a>
          </li>
          <li>
            <a href="/tags/">Browse the tags</a>
          </li>
        </ul>
      </div>
    ),
  });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (status === 405) response.headers.set('Allow', allowedMethods);
  return response;
}
