// The forms on the page of an account, /moderation/people/?username=…: each has its own path, and leads back to the account.

import { NotFound } from '#common/errors.ts';
import { choiceField, readFields, readPartially } from '#rest/fields.ts';
import { raw } from '#rest/jsx/jsx-runtime.ts';
import { type AccountDetails, findAccount } from '../../core/accounts/account.ts';
import type { Email } from '../../core/accounts/email.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { fullName, toFullNames } from '../../core/contributors/contributor.ts';
import { optionalReasonFields } from '../../core/decisions/decision.ts';
import { requireId } from '../../core/ids.ts';
import { Avatar } from '../../core/pages/layout/avatar.tsx';
import { accountPath, NameLink } from '../../core/pages/layout/components.tsx';
import { PostForm, type PostFormProps } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage, showConflictOnPage } from '../../core/pages/moderation-page.tsx';
import { anyone, form, type PageContext, seeOther } from '../../core/pages/page.ts';
import { ProfileWords } from '../../core/pages/profile-words.tsx';
import { drawQrCode } from '../../projects/pages/project/qr-code.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import { isEmpty, type Profile } from '../../projects/people/profile.ts';
import { changeEmailOf, emailField } from '../sign-in/email/email.ts';
import { createPasswordLink, passwordLinkPath } from '../sign-in/password-link.ts';
import { requirePasswords } from '../sign-in/sign-in.ts';
import { accountFields, setAccountState, setTrust } from './disable-accounts.ts';
import { leaveName, removeAvatar, removeProfile, renameAsModerator, renameFields } from './rename.ts';

const path = '/moderation/people/';
const trustFields = {
  trusted: choiceField('Trusted', { yes: 'yes', no: 'no' }, { required: true }),
  ...optionalReasonFields,
};
const emailFields = { email: { ...emailField, help: undefined } };

interface AccountFormProps extends PostFormProps {
  readonly account: AccountDetails;
  readonly summary: string;
}

/** A form that is folded below its name. */
export function AccountForm({ account, summary, children, ...form }: AccountFormProps) {
  return (
    <details>
      <summary>{summary}</summary>
      <PostForm class="decision-form" {...form}>
        <input type="hidden" name="contributor" value={String(account.id)} />
        {children}
      </PostForm>
    </details>
  );
}

export function AccountStateForm({ account }: { account: AccountDetails }) {
  const { t } = useLanguage();
  const isOpen = account.disabled === null;
  const label = t(isOpen ? 'people.disable' : 'people.enable');
  return (
    <AccountForm
      account={account}
      summary={label}
      action={path}
      fields={optionalReasonFields}
      prefix="d"
      button={label}
      variant={isOpen ? 'danger' : undefined}
      buttonAttributes={{ name: 'state', value: isOpen ? 'disabled' : 'open' }}
    />
  );
}

export function TrustForm({ account }: { account: AccountDetails }) {
  const { t } = useLanguage();
  const label = t(account.trusted === 1 ? 'people.distrust' : 'people.trust');
  return (
    <AccountForm
      account={account}
      summary={label}
      action={`${path}trust/`}
      fields={optionalReasonFields}
      prefix="t"
      button={label}
      buttonAttributes={{ name: 'trusted', value: account.trusted === 1 ? 'no' : 'yes' }}
    >
      <p>{t('people.trustNote')}</p>
    </AccountForm>
  );
}

export function PasswordLinkForm({ account }: { account: AccountDetails }) {
  const { t } = useLanguage();
  return (
    <AccountForm
      account={account}
      summary={t('passwordLink.title')}
      action={`${path}password/`}
      button={t('passwordLink.create')}
      variant="danger"
    >
      <p>{t('passwordLink.note')}</p>
    </AccountForm>
  );
}

export type EmailOf = Partial<Pick<Email, 'address' | 'pending'>>;

export function EmailForm({ account, email }: { account: AccountDetails; email: EmailOf }) {
  const { t, rich } = useLanguage();
  const { address, pending } = email;
  return (
    <AccountForm
      account={account}
      summary={t('people.email')}
      action={`${path}email/`}
      fields={emailFields}
      values={{ email: pending ?? address ?? '' }}
      prefix="e"
      button={t('form.save')}
    >
      {address && <p>{rich('email.current', { address: <bdi>{address}</bdi> })}</p>}
      {pending && <p>{rich('email.notConfirmed', { address: <bdi>{pending}</bdi> })}</p>}
      <p>{t('people.emailNote')}</p>
    </AccountForm>
  );
}

export function RenameForm({ account }: { account: AccountDetails }) {
  const { t } = useLanguage();
  return (
    <AccountForm
      class="stacked-form"
      account={account}
      summary={t('names.change')}
      action={`${path}names/`}
      fields={renameFields}
      values={{ ...toFullNames(account) }}
      prefix="n"
      after={<p class="faint">{t('names.changeNote')}</p>}
      button={t('names.change')}
    />
  );
}

export function AvatarRemoval({ account, avatar }: { account: AccountDetails; avatar: string | undefined }) {
  const { t } = useLanguage();
  if (!avatar) return null;
  return (
    <section aria-labelledby="avatar">
      <h3 id="avatar">{t('avatar.theirs')}</h3>
      <div class="own-avatar">
        <Avatar person={{ contributor: account.id, name: fullName(account), avatar }} />
        <RemovalForm account={account} part="avatar" label={t('avatar.removeTheirs')} />
      </div>
    </section>
  );
}

export function ProfileRemoval({ account, profile }: { account: AccountDetails; profile: Profile }) {
  const { t } = useLanguage();
  if (isEmpty(profile)) return null;
  return (
    <section aria-labelledby="profile">
      <h3 id="profile">{t('profile.words')}</h3>
      <ProfileWords profile={profile} />
      <RemovalForm account={account} part="profile" label={t('profile.remove')} />
    </section>
  );
}

interface RemovalFormProps {
  readonly account: AccountDetails;
  readonly part: 'avatar' | 'profile';
  readonly label: string;
}

const RemovalForm = ({ account, part, label }: RemovalFormProps) => (
  <AccountForm
    account={account}
    summary={label}
    action={`${path}${part}/`}
    fields={optionalReasonFields}
    prefix={part}
    button={label}
    variant="danger"
  />
);

export async function requireAccount(
  { database }: PageContext,
  contributor: number,
): Promise<AccountDetails> {
  const account = await findAccount(database, contributor);
  if (!account) throw new NotFound();
  return account;
}

export const seeAccount = async (context: PageContext, contributor: number) =>
  seeOther(accountPath((await requireAccount(context, contributor)).username));

async function submitPasswordLink(context: PageContext) {
  const { accounts, database, viewer, origin, request, t, rich } = context;
  const contributor = requireId((await request.readBody()).data.contributor);
  requirePasswords(accounts);
  const link = origin + passwordLinkPath(await createPasswordLink(database, viewer, contributor));
  const account = await requireAccount(context, contributor);
  const name = fullName(account);
  return context.render(
    <ModerationPage path={path}>
      <div role="status">
        <h2>{t('passwordLink.title')}</h2>
        <p class="narrow">{rich('passwordLink.made', { name: <bdi>{name}</bdi> })}</p>
        <p class="link-to-print">
          <span class="printed-code" aria-hidden="true">
            {raw(drawQrCode(link))}
          </span>
          <code class="secret">{link}</code>
        </p>
        <p>
          <NameLink href={accountPath(account.username)} name={name} />
        </p>
      </div>
    </ModerationPage>,
  );
}

const submitRemoval =
  (remove: (write: WriteContext, contributor: number) => Promise<void>) => async (context: PageContext) => {
    const { data } = await context.request.readBody();
    const contributor = requireId(data.contributor);
    const { reason } = readFields(optionalReasonFields, data);
    await context.transact((write) => remove({ ...write, reason }, contributor));
    return seeAccount(context, contributor);
  };

async function submitNames(context: PageContext) {
  const { data } = await context.request.readBody();
  const contributor = requireId(data.contributor);
  await showConflictOnPage(async () => {
    if (data.decision === 'leave') {
      const { reason } = readFields(optionalReasonFields, data);
      return context.transact((write) => leaveName({ ...write, reason }, contributor));
    }
    const { reason, ...names } = readPartially(renameFields, data);
    return updateAfter(context.database, contributor, () =>
      context.transact((write) => renameAsModerator({ ...write, reason }, contributor, names)),
    );
  });
  return seeAccount(context, contributor);
}

export const accountFormRoutes = [
  form(path, 'disableAccount', async (context) => {
    const { data } = await context.request.readBody();
    const { id, username } = await requireAccount(context, requireId(data.contributor));
    const { state, reason } = readFields(accountFields, data);
    await context.transact((write) => setAccountState({ ...write, reason }, id, state));
    return seeOther(accountPath(username));
  }),
  form(`${path}trust/`, 'trustPeople', async (context) => {
    const { data } = await context.request.readBody();
    const contributor = requireId(data.contributor);
    const { trusted, reason } = readFields(trustFields, data);
    await context.transact((write) => setTrust({ ...write, reason }, contributor, trusted === 'yes'));
    return seeAccount(context, contributor);
  }),
  form(`${path}names/`, anyone, submitNames),
  form(`${path}profile/`, anyone, submitRemoval(removeProfile)),
  form(`${path}avatar/`, anyone, submitRemoval(removeAvatar)),
  form(`${path}email/`, 'resetPassword', async (context) => {
    const { accounts, request } = context;
    if (!accounts.sendsMail) throw new NotFound();
    const { data } = await request.readBody();
    const { id, username } = await requireAccount(context, requireId(data.contributor));
    const { email = '' } = readFields(emailFields, data);
    if (email !== '') await accounts.attempts.countMail(email, id, request.clientAddress);
    await context.transact((write) => changeEmailOf(write, id, email));
    return seeOther(accountPath(username));
  }),
  form(`${path}password/`, 'resetPassword', submitPasswordLink),
];
