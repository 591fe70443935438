// /forgotten-password/: a mail with a link for a new password; and, where no mails are sent, whom to ask for one.

import { NotFound } from '../../common/errors.ts';
import { readFields } from '../../common/fields.ts';
import { askForPasswordLink, forgottenFields } from '../../gallery/sign-in/forgotten-password.ts';
import { CsrfField, ErrorSummary, FormFields, getFormTitle } from '../layout/form.tsx';
import { renderPage } from '../layout/layout.tsx';
import { useLayout } from '../layout/layout-data.ts';
import { Notice } from '../layout/notice.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';

export const forgottenPath = '/forgotten-password/';

export async function showForgottenPage({ accounts }: PageDependencies, context: PageContext) {
  const { layout, formErrors, url } = context;
  const { t } = layout.language;
  if (!accounts.sendsMail) throw new NotFound();
  const isSent = url.query.has('sent') && !formErrors;
  return renderPage(layout, {
    title: getFormTitle(context, t('forgotten.title')),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>{t('forgotten.title')}</h1>
        {isSent ? (
          <Notice>{t('forgotten.sent')}</Notice>
        ) : (
          <>
            <p>{t('forgotten.intro')}</p>
            <ErrorSummary formErrors={formErrors} fields={forgottenFields} />
            <form class="stacked-form" method="post" action={forgottenPath}>
              <CsrfField />
              <FormFields fields={forgottenFields} formErrors={formErrors} />
              <button type="submit">{t('forgotten.send')}</button>
            </form>
          </>
        )}
        <h2>{t('forgotten.other')}</h2>
        <p>
          <PasswordHelp />
        </p>
      </div>
    ),
  });
}

export async function submitForgotten({ accounts }: PageDependencies, { request }: PageContext) {
  const values = readFields(forgottenFields, (await request.readBody()).data);
  if (!accounts.sendsMail) throw new NotFound();
  await askForPasswordLink(accounts, values, request.clientAddress);
  return seeOther(`${forgottenPath}?sent`);
}

/** Whom to ask: as the site says it, or else the people who run it. */
export function PasswordHelp() {
  const { site, language } = useLayout();
  const { t, rich } = language;
  const { password_help, contact } = site;
  if (password_help) return <bdi dir="auto">{password_help}</bdi>;
  if (!contact) return t('signIn.askOperators');
  return rich('signIn.askContact', { link: (text) => <a href={contact.href}>{text}</a> });
}
