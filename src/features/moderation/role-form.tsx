// The role of an account: the form on its page, and the confirmation.

import { NotFound } from '#common/errors.ts';
import { choiceField, readFields } from '#rest/fields.ts';
import type { AccountDetails } from '../../core/accounts/account.ts';
import { fullName } from '../../core/contributors/contributor.ts';
import { optionalReasonFields } from '../../core/decisions/decision.ts';
import { requireId } from '../../core/ids.ts';
import { accountPath, LinkLine } from '../../core/pages/layout/components.tsx';
import { ButtonForm } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage, showConflictOnPage } from '../../core/pages/moderation-page.tsx';
import { form, type PageContext } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { AccountForm, requireAccount, seeAccount } from './account-forms.tsx';
import { changeRole } from './roles.ts';

const path = '/moderation/people/';

const getRoleFields = ({ t }: Translator) => ({
  role: choiceField(
    t('people.role'),
    {
      contributor: t('role.contributor'),
      moderator: t('role.moderator'),
      admin: t('role.admin'),
    },
    { required: true },
  ),
  ...optionalReasonFields,
});

export function RoleForm({ account }: { account: AccountDetails }) {
  const language = useLanguage();
  const label = language.t('people.changeRole');
  return (
    <AccountForm
      account={account}
      summary={label}
      action={`${path}role/`}
      fields={getRoleFields(language)}
      values={{ role: account.role }}
      prefix="o"
      button={label}
    />
  );
}

/** Asks first: the role says what somebody may do to everybody else. */
async function submitRole(context: PageContext) {
  const { layout, request, t, rich } = context;
  const { data } = await request.readBody();
  const account = await requireAccount(context, requireId(data.contributor));
  const { role, reason = '' } = readFields(getRoleFields(layout.language), data);
  if (account.role === null) throw new NotFound();
  if (data.confirmed !== undefined) {
    await showConflictOnPage(() =>
      context.transact((write) => changeRole({ ...write, reason }, account.id, role), {
        changesActor: account.id === context.viewer.contributor,
      }),
    );
    return seeAccount(context, account.id);
  }
  const values = { contributor: String(account.id), role, reason, confirmed: 'yes' };
  return context.render(
    <ModerationPage path={path}>
      <h2>{t('people.changeRole')}</h2>
      <p>
        {rich('people.confirmRole', {
          name: <bdi>{fullName(account)}</bdi>,
          before: t(`role.${account.role}`),
        })}
      </p>
      <p>{t(`people.roleNote.${role}`)}</p>
      <ButtonForm action={`${path}role/`} variant="danger" values={values}>
        {t(`people.make.${role}`)}
      </ButtonForm>
      <LinkLine href={accountPath(account.username)}>{t('form.cancel')}</LinkLine>
    </ModerationPage>,
  );
}

export const roleRoutes = [form(`${path}role/`, 'changeRole', submitRole)];
