import { Invalid, QuotaExceeded } from '../errors.ts';
import { toErrorResponse } from '../rest/exceptions.ts';
import type { PreparedResponse } from '../rest/prepared-response.ts';
import { renderPage } from './layout.tsx';
import type { LayoutData } from './layout-data.ts';

const errorTexts: Record<number, { heading: string; message: string }> = {
  400: { heading: 'That was not understood', message: 'Something in the address is not as it should be.' },
  403: { heading: 'That is not yours to do', message: 'Somebody else made this, or looks after it.' },
  404: {
    heading: 'There is nothing here',
    message: 'It may have been moved or taken away, or it is not for everyone to see.',
  },
  500: {
    heading: 'Something went wrong with us',
    message: 'It is not your doing. It has been written down, and trying again in a while may help.',
  },
  503: { heading: 'Back in a moment', message: 'The gallery is away for a moment. Please try again soon.' },
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
        {status === 404 && <p>The search above knows every title and every word, if it is still there.</p>}
        {status >= 500 && (
          <p>
            If you tell us of it, name this: <code>{id}</code>
          </p>
        )}
        <ul class="links">
          <li>
            <a href="/">What is new in the gallery</a>
          </li>
          <li>
            <a href="/tags/">All tags</a>
          </li>
        </ul>
      </div>
    ),
  });
  for (const [name, value] of Object.entries(headers)) response.headers.set(name, value);
  if (status === 405) response.headers.set('Allow', allowedMethods);
  return response;
}
