// The email address of somebody else, on the page of their account: for admins.

import { NotFound } from '../../common/errors.ts';
import { readFields } from '../../common/fields.ts';
import { type AccountDetails, findAccount } from '../../gallery/accounts/account.ts';
import { requireId } from '../../gallery/ids.ts';
import { changeEmailOf, type Email, emailField } from '../../gallery/sign-in/email.ts';
import { accountPath } from '../layout/components.tsx';
import { Form, FormFields } from '../layout/form.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { form, seeOther } from '../page.ts';

const path = '/moderation/people/';
const fields = { email: { ...emailField, help: undefined } };

export type EmailOf = Partial<Pick<Email, 'address' | 'pending'>>;

export function EmailForm({ account, email }: { account: AccountDetails; email: EmailOf }) {
  const { t, rich } = useLanguage();
  const { address, pending } = email;
  return (
    <details>
      <summary>{t('people.email')}</summary>
      <Form class="decision-form" action={`${path}email/`}>
        <input type="hidden" name="contributor" value={String(account.id)} />
        {address && <p>{rich('email.current', { address: <bdi>{address}</bdi> })}</p>}
        {pending && <p>{rich('email.notConfirmed', { address: <bdi>{pending}</bdi> })}</p>}
        <p>{t('people.emailNote')}</p>
        <FormFields fields={fields} values={{ email: pending ?? address ?? '' }} prefix="e" />
        <button type="submit">{t('form.save')}</button>
      </Form>
    </details>
  );
}

export const emailOfRoutes = [
  form(`${path}email/`, 'resetPassword', async (context) => {
    const { database, accounts, request } = context;
    if (!accounts.sendsMail) throw new NotFound();
    const { data } = await request.readBody();
    const account = await findAccount(database, requireId(data.contributor));
    if (!account) throw new NotFound();
    const { email = '' } = readFields(fields, data);
    if (email !== '') await accounts.attempts.countMail(email, account.id, request.clientAddress);
    await context.transact((write) => changeEmailOf(write, account.id, email));
    return seeOther(accountPath(account.username));
  }),
];
