// /new-password/?code=…: choosing a new password with a link from somebody who manages the account.

import { readFields, toText } from '../../common/fields.ts';
import {
  findPasswordLink,
  passwordLinkFields,
  usePasswordLink,
} from '../../gallery/sign-in/password-link.ts';
import { PostForm } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';

export async function showNewPasswordPage({ database }: PageDependencies, context: PageContext) {
  const { layout, formErrors, url } = context;
  const { t, rich } = layout.language;
  const code = toText(formErrors?.values.code ?? url.query.get('code'));
  const account = (await findPasswordLink(database, code))?.account;
  const page = renderFormPage(context, {
    title: t('newPassword.title'),
    children: (
      <>
        {account ? (
          <>
            <p>{rich('newPassword.intro', { username: <bdi>{account.username}</bdi> })}</p>
            <PostForm
              fields={passwordLinkFields}
              formErrors={formErrors}
              action="/new-password/"
              button={t('form.save')}
            >
              <input type="hidden" name="code" value={code} />
            </PostForm>
          </>
        ) : (
          <p>{t('newPassword.invalid')}</p>
        )}
      </>
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
