// /new-password/?code=…: choosing a new password with a link from somebody who manages the account.

import { readFields, toText } from '../../common/fields.ts';
import {
  findPasswordLink,
  passwordLinkFields,
  usePasswordLink,
} from '../../gallery/sign-in/password-link.ts';
import { CsrfField, ErrorSummary, FormFields, getFormTitle } from '../layout/form.tsx';
import { renderPage } from '../layout/layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';

export async function showNewPasswordPage({ database }: PageDependencies, context: PageContext) {
  const { layout, formErrors, url } = context;
  const { t, rich } = layout.language;
  const code = toText(formErrors?.values.code ?? url.query.get('code'));
  const account = (await findPasswordLink(database, code))?.account;
  const page = await renderPage(layout, {
    title: getFormTitle(context, t('newPassword.title')),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>{t('newPassword.title')}</h1>
        {account ? (
          <>
            <p>{rich('newPassword.intro', { username: <bdi>{account.username}</bdi> })}</p>
            <ErrorSummary formErrors={formErrors} fields={passwordLinkFields} />
            <form class="stacked-form" method="post" action="/new-password/">
              <CsrfField />
              <input type="hidden" name="code" value={code} />
              <FormFields fields={passwordLinkFields} formErrors={formErrors} />
              <button type="submit">{t('form.save')}</button>
            </form>
          </>
        ) : (
          <p>{t('newPassword.invalid')}</p>
        )}
      </div>
    ),
  });
  return account ? page : { ...page, status: 404 };
}

export async function submitNewPassword({ accounts }: PageDependencies, { request }: PageContext) {
  const { data } = await request.readBody();
  const { new_password } = readFields(passwordLinkFields, data);
  await usePasswordLink(accounts, toText(data.code), new_password);
  return seeOther('/sign-in/?new-password');
}
