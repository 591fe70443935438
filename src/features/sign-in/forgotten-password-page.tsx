// /forgotten-password/: a mail with a link for a new password; and, where no mails are sent, whom to ask for one.

import { NotFound } from '#common/errors.ts';
import { readFields, toText } from '#rest/fields.ts';
import { Notice } from '../../core/pages/layout/components.tsx';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLayout } from '../../core/pages/layout/layout-data.ts';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import {
  askForPasswordLink,
  findPasswordLink,
  forgottenFields,
  passwordLinkFields,
  usePasswordLink,
} from './password-link.ts';

export const forgottenPath = '/forgotten-password/';

async function showForgottenPage(context: PageContext) {
  const { accounts, formErrors, url, t } = context;
  if (!accounts.sendsMail || !accounts.allowsPasswords) throw new NotFound();
  const isSent = url.query.has('sent') && !formErrors;
  return context.render(
    <FormPage title={t('forgotten.title')}>
      {isSent ? (
        <Notice>{t('forgotten.sent')}</Notice>
      ) : (
        <>
          <p>{t('forgotten.intro')}</p>
          <PostForm
            fields={forgottenFields}
            formErrors={formErrors}
            action={forgottenPath}
            button={t('forgotten.send')}
          />
        </>
      )}
      <h2>{t('forgotten.other')}</h2>
      <p>
        <PasswordHelp />
      </p>
    </FormPage>,
  );
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

// /new-password/?code=…: choosing a new password with a link from somebody who manages the account.

async function showNewPasswordPage(context: PageContext) {
  const { accounts, database, formErrors, url, t, rich } = context;
  if (!accounts.allowsPasswords) throw new NotFound();
  const code = toText(formErrors?.values.code ?? url.query.get('code'));
  const account = (await findPasswordLink(database, code))?.account;
  return context.render(
    <FormPage title={t('newPassword.title')} status={account ? 200 : 404}>
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
    </FormPage>,
  );
}

export const forgottenPasswordRoutes = [
  page(forgottenPath, 'signIn', showForgottenPage, async (context) => {
    const { accounts, request } = context;
    const values = await context.readForm(forgottenFields);
    if (!accounts.sendsMail || !accounts.allowsPasswords) throw new NotFound();
    await askForPasswordLink(accounts, values, request.clientAddress);
    return seeOther(`${forgottenPath}?sent`);
  }),
  page('/new-password/', 'signIn', showNewPasswordPage, async ({ accounts, request }) => {
    const { data } = await request.readBody();
    if (!accounts.allowsPasswords) throw new NotFound();
    const { new_password } = readFields(passwordLinkFields, data);
    await usePasswordLink(accounts, toText(data.code), new_password);
    return seeOther('/sign-in/?new-password');
  }),
];
