// /account/password/: changes the password of an account.

import { accountSections } from '../../core/pages/account-sections.tsx';
import { SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { changeOwnPassword, newPasswordFields } from './sign-in.ts';

const path = '/account/password/';

async function showPasswordPage(context: PageContext) {
  const { t, rich } = context;
  return context.render(
    <SingleFormPage
      aside={accountSections(context)}
      title={t('account.changePassword')}
      note={rich('account.passwordNote', { link: (text) => <a href="/account/passkeys/">{text}</a> })}
      fields={newPasswordFields}
      action={path}
      button={t('account.changePassword')}
    />,
  );
}

export const passwordRoutes = [
  page(path, 'changeAccount', showPasswordPage, async (context) => {
    const { viewer, request } = context;
    const passwords = await context.readForm(newPasswordFields);
    const cookies = await changeOwnPassword(context, request, viewer, passwords);
    return seeOther('/account/', cookies);
  }),
  page('/.well-known/change-password/', anyone, async () => seeOther(path)),
];
