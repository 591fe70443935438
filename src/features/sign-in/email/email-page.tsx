// /account/email/: the email address of an account; and /confirm-email/?code=…: its confirmation with a mailed link. The
// link only shows a button: programs that check mails open links.

import { NotFound } from '#common/errors.ts';
import { readPartially, toText } from '#rest/fields.ts';
import { findEmail } from '../../../core/accounts/email.ts';
import { accountSections } from '../../../core/pages/account-sections.tsx';
import { Notice } from '../../../core/pages/layout/components.tsx';
import { PostForm } from '../../../core/pages/layout/form.tsx';
import { FormPage } from '../../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { toMailLanguage } from '../../../core/texts/languages.ts';
import { requireSignedIn } from '../../../core/viewer/viewer.ts';
import { changeEmail, confirmEmail, emailFields, findEmailLink, readNewEmail } from './email.ts';

const path = '/account/email/';

async function showEmailPage(context: PageContext) {
  const { database, accounts, viewer, formErrors, url, t, rich } = context;
  if (!accounts.sendsMail) throw new NotFound();
  const { address = null, pending = null } = (await findEmail(database, requireSignedIn(viewer))) ?? {};
  const isSaved = url.query.has('saved') && !formErrors;
  return context.render(
    <FormPage aside={accountSections(context)} title={t('email.title')}>
      {isSaved && <Notice>{t(pending === null ? 'email.saved' : 'email.sent')}</Notice>}
      {address !== null && <p>{rich('email.current', { address: <bdi>{address}</bdi> })}</p>}
      {pending !== null && <p>{rich('email.pending', { address: <bdi>{pending}</bdi> })}</p>}
      {address === null && pending === null && <p>{t('email.none')}</p>}
      <p>{t('email.note')}</p>
      <PostForm
        fields={emailFields}
        values={{ email: pending ?? address ?? '' }}
        formErrors={formErrors}
        action={path}
        button={t('form.save')}
      />
    </FormPage>,
  );
}

async function showConfirmEmailPage(context: PageContext) {
  const { database, formErrors, url, t, rich } = context;
  const code = toText(formErrors?.values.code ?? url.query.get('code'));
  const isConfirmed = url.query.has('confirmed') && !formErrors;
  const link = isConfirmed ? undefined : await findEmailLink(database, code);
  return context.render(
    <FormPage title={t('email.confirmTitle')} status={link || isConfirmed ? 200 : 404}>
      {isConfirmed && <Notice>{t('email.confirmed')}</Notice>}
      {link && (
        <PostForm action="/confirm-email/" button={t('email.confirm')}>
          <input type="hidden" name="code" value={code} />
          <p>
            {rich('email.confirmIntro', {
              address: <bdi>{link.pending}</bdi>,
              username: <bdi>{link.account.username}</bdi>,
            })}
          </p>
        </PostForm>
      )}
      {!link && !isConfirmed && <p>{t('email.invalid')}</p>}
    </FormPage>,
  );
}

export const emailRoutes = [
  page('/confirm-email/', anyone, showConfirmEmailPage, async ({ database, request }) => {
    await confirmEmail(database, toText((await request.readBody()).data.code));
    return seeOther('/confirm-email/?confirmed');
  }),
  page(path, 'changeAccount', showEmailPage, async (context) => {
    const { accounts, viewer, request, layout } = context;
    const { password, ...data } = (await request.readBody()).data;
    const values = readPartially(emailFields, password === '' ? data : { ...data, password });
    const { client } = request;
    const language = toMailLanguage(layout.language.code);
    const contributor = requireSignedIn(viewer);
    const email = await readNewEmail(accounts, { viewer, client, language }, values, { cancels: true });
    if (email !== undefined)
      await context.transact((write) => changeEmail(write, contributor, email, language), {
        changesActor: true,
      });
    return seeOther(`${path}?saved`);
  }),
];
