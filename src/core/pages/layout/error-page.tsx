import { Failure, Invalid, QuotaExceeded, SignInServiceDown } from '#common/errors.ts';
import { TooLarge, toErrorResponse } from '#rest/error-responses.ts';
import { type PreparedResponse, withHeaders } from '#rest/prepared-response.ts';
import { formatBytes } from '../../texts/format-bytes.ts';
import type { Translator } from '../../texts/translator.ts';
import { LinkItem } from './components.tsx';
import { Logo, Page, renderPage } from './layout.tsx';
import type { LayoutData } from './layout-data.ts';

const statusesWithText = [400, 403, 404, 500, 503] as const;
const statusesWithHeading = [401, 405, 406, 408, 409, 410, 412, 415, 422, 429, 507] as const;

function describeError(language: Translator, error: unknown, status: number, title: string) {
  const { t } = language;
  const message =
    error instanceof Failure && !(error instanceof Invalid) ? language.translate(error.text) : '';
  if (error instanceof QuotaExceeded) return { heading: t('error.full'), message };
  if (error instanceof TooLarge)
    return {
      heading: t('error.413.heading'),
      message: t('error.413.message', { size: formatBytes(language, error.maxBytes) }),
    };
  if (error instanceof SignInServiceDown) return { heading: t('error.503.heading'), message };
  const known = statusesWithText.find((code) => code === status);
  if (!known) {
    const named = statusesWithHeading.find((code) => code === status);
    return { heading: named ? t(`error.${named}.heading`) : title, message };
  }
  return {
    heading: t(`error.${known}.heading`),
    message: message && status < 404 ? message : t(`error.${known}.message`),
  };
}

/** `id` is the request id, by which the operator finds the request in the log. */
export function renderErrorPage(
  layout: LayoutData,
  error: unknown,
  id: string,
  allowedMethods: string,
): PreparedResponse {
  const { status, title, headers } = toErrorResponse(error);
  const { language } = layout;
  const { t, rich } = language;
  const text = describeError(language, error, status, title);
  const response = renderPage(
    layout,
    <Page title={text.heading} status={status}>
      <div class="error">
        {status === 404 && <Logo size={96} isEmpty />}
        <p class="code">{status}</p>
        <h1>{text.heading}</h1>
        <p>{text.message}</p>
        {error instanceof Invalid && (
          <ul>
            {Object.entries(error.fields).map(([name, messages]) => (
              <li>
                <code>{name}</code>: {language.join(messages)}
              </li>
            ))}
          </ul>
        )}
        {status === 404 && <p>{t('error.search')}</p>}
        {status >= 500 && <p>{rich('error.code', { code: <code>{id}</code> })}</p>}
        <ul class="links">
          <LinkItem href="/">{t('error.home')}</LinkItem>
          <LinkItem href="/tags/">{t('error.tags')}</LinkItem>
        </ul>
      </div>
    </Page>,
  );
  return withHeaders(response, { ...headers, ...(status === 405 && { Allow: allowedMethods }) });
}
