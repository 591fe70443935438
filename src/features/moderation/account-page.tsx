// An account on /moderation/people/, named by `username`: what is known about it, and the forms that change it.

import type { AccountDetails } from '../../core/accounts/account.ts';
import { findEmail } from '../../core/accounts/email.ts';
import { loadAvatar } from '../../core/contributors/avatar.ts';
import { fullName } from '../../core/contributors/contributor.ts';
import { DateText, Fact, NameLink } from '../../core/pages/layout/components.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import type { PageDependencies } from '../../core/pages/page.ts';
import { contributorPath } from '../../core/paths.ts';
import { can } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { loadProfile, type Profile } from '../../projects/people/profile.ts';
import { canCreatePasswordLink } from '../sign-in/password-link.ts';
import {
  AccountStateForm,
  AvatarRemoval,
  EmailForm,
  type EmailOf,
  PasswordLinkForm,
  ProfileRemoval,
  RenameForm,
  TrustForm,
} from './account-forms.tsx';
import { type ContributorCounts, contributionsPath, countContributions } from './contributions.ts';
import { canDisable } from './disable-accounts.ts';
import { listDecisions } from './log.ts';
import { canRename } from './rename.ts';
import { RoleForm } from './role-form.tsx';
import { Decision } from './undo-page.tsx';

const maxDecisions = 20;

interface AccountProps {
  readonly account: AccountDetails;
  readonly offersPasswordLink: boolean;
  readonly counts: ContributorCounts;
  /** The hash of the avatar in its largest size. */
  readonly avatar: string | undefined;
  readonly profile: Profile;
  /** For those who may change it, where mails are sent. */
  readonly email: EmailOf | undefined;
  /** The latest decisions on the account and its projects. */
  readonly latestDecisions: Awaited<ReturnType<ReturnType<typeof listDecisions>['page']>>;
}

export function Account({
  account,
  offersPasswordLink,
  counts,
  avatar,
  profile,
  email,
  latestDecisions,
}: AccountProps) {
  const { viewer, language } = useLayout();
  return (
    <section class="narrow" aria-labelledby="person">
      <h2 id="person">
        <NameLink href={contributorPath(account.id, account.username)} name={fullName(account)} />
      </h2>
      <AccountFacts account={account} counts={counts} />
      {canDisable(viewer, account) && <AccountStateForm account={account} />}
      {account.role === 'contributor' && can(viewer, 'trustPeople', account.id) && (
        <TrustForm account={account} />
      )}
      {account.role !== null && can(viewer, 'changeRole') && <RoleForm account={account} />}
      {offersPasswordLink && <PasswordLinkForm account={account} />}
      {email && <EmailForm account={account} email={email} />}
      {canRename(viewer, account) && <RenameForm account={account} />}
      {canRename(viewer, account) && <AvatarRemoval account={account} avatar={avatar} />}
      {canRename(viewer, account) && <ProfileRemoval account={account} profile={profile} />}
      {latestDecisions.length > 0 && (
        <>
          <h3>{language.t('people.decisions')}</h3>
          <ol class="rows">
            {latestDecisions.map((entry) => (
              <li>
                <Decision entry={entry} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

export async function loadAccountData(
  { database, accounts }: PageDependencies,
  viewer: Viewer,
  account: AccountDetails,
): Promise<AccountProps> {
  const showsEmail = accounts.sendsMail && canCreatePasswordLink(viewer, account);
  const [counts, avatarSizes, profile, latestDecisions] = await Promise.all([
    countContributions(database, viewer, account.id),
    loadAvatar(database, account.id),
    loadProfile(database, account.id),
    listDecisions(database, { contributor: account.id }).page(0, maxDecisions),
  ]);
  const email = showsEmail ? { ...(await findEmail(database, account.id)) } : undefined;
  const offersPasswordLink = accounts.allowsPasswords && canCreatePasswordLink(viewer, account);
  return {
    account,
    offersPasswordLink,
    counts,
    avatar: avatarSizes.at(-1)?.hash,
    profile,
    email,
    latestDecisions,
  };
}

function AccountFacts({ account, counts }: Pick<AccountProps, 'account' | 'counts'>) {
  const { t, rich, formatNumber } = useLanguage();
  return (
    <dl class="facts">
      <Fact name={t('people.username')}>
        <bdi>{account.username}</bdi>
      </Fact>
      <Fact name={t('people.joined')}>
        <DateText instant={account.created} />
      </Fact>
      <Fact name={t('people.role')}>{t(`role.${account.role ?? 'none'}`)}</Fact>
      {account.role !== null && (
        <Fact name={t('people.state')}>
          {account.disabled === null
            ? t('people.active')
            : rich('people.disabledSince', { date: <DateText instant={account.disabled} /> })}
        </Fact>
      )}
      {account.trusted === 1 && <Fact name={t('people.review')}>{t('people.trusted')}</Fact>}
      {(['projects', 'comments', 'removed'] as const).map((kind) => (
        <Fact name={t(`people.${kind}`)}>
          <a href={contributionsPath(account.username, kind)}>{formatNumber(counts[kind])}</a>
        </Fact>
      ))}
      <Fact name={t('people.reports')}>{formatNumber(counts.reports)}</Fact>
    </dl>
  );
}
