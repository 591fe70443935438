// A link for a new password: the button on the page of an account, and the page that shows the link once.

import { NotFound } from '../../common/errors.ts';
import { type AccountDetails, findAccount } from '../../gallery/accounts/account.ts';
import { fullName } from '../../gallery/contributors/contributor.ts';
import { requireId } from '../../gallery/ids.ts';
import { createPasswordLink, passwordLinkPath } from '../../gallery/sign-in/password-link.ts';
import { accountPath, NameLink } from '../layout/components.tsx';
import { Form } from '../layout/form.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { form, type PageContext } from '../page.ts';
import { LinkList, withQrCode } from './invitations.tsx';
import { ModerationPage } from './moderation-page.tsx';

const path = '/moderation/people/';

export function PasswordLinkForm({ account }: { account: AccountDetails }) {
  const { t } = useLanguage();
  return (
    <details>
      <summary>{t('passwordLink.title')}</summary>
      <Form class="decision-form" action={`${path}password/`}>
        <input type="hidden" name="contributor" value={String(account.id)} />
        <p>{t('passwordLink.note')}</p>
        <button class="danger" type="submit">
          {t('passwordLink.create')}
        </button>
      </Form>
    </details>
  );
}

async function submitPasswordLink(context: PageContext) {
  const { database, viewer, origin, request, t, rich } = context;
  const contributor = requireId((await request.readBody()).data.contributor);
  const code = await createPasswordLink(database, viewer, contributor);
  const account = await findAccount(database, contributor);
  if (!account) throw new NotFound();
  return context.render(
    <ModerationPage path={path}>
      <div role="status">
        <h2>{t('passwordLink.title')}</h2>
        <p class="narrow">{rich('passwordLink.made', { name: <bdi>{fullName(account)}</bdi> })}</p>
        <LinkList links={[withQrCode(origin + passwordLinkPath(code))]} />
        <p>
          <NameLink href={accountPath(account.username)} name={fullName(account)} />
        </p>
      </div>
    </ModerationPage>,
  );
}

export const passwordLinkRoutes = [form(`${path}password/`, 'resetPassword', submitPasswordLink)];
