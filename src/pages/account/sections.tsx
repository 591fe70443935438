// The list of the pages of an account, beside each of them.

import { LinkItem } from '../layout/components.tsx';
import { linkedPath, type PageContext } from '../page.ts';

const sections = [
  ['/account/', 'account.title'],
  ['/account/profile/', 'profile.title'],
  ['/account/notifications/', 'notifications.title'],
  ['/account/email/', 'email.title'],
  ['/account/password/', 'account.changePassword'],
  ['/account/passkeys/', 'passkeys.title'],
  [linkedPath, 'linked.title'],
  ['/account/second-step/', 'secondFactorSignIn.title'],
  ['/account/keys/', 'keys.title'],
  ['/account/webhooks/', 'webhooks.title'],
  ['/account/import/', 'import.title'],
  ['/account/leave/', 'account.delete'],
] as const;

/** People have linked accounts where they sign in elsewhere, or come from a learning platform. */
export const canLinkAccounts = ({ signInService, learningPlatform }: PageContext): boolean =>
  signInService !== undefined || learningPlatform !== undefined;

export function accountSections(context: PageContext) {
  const { accounts, url, t } = context;
  const isOffered: Readonly<Record<string, boolean>> = {
    '/account/email/': accounts.sendsMail,
    '/account/password/': accounts.allowsPasswords,
    [linkedPath]: canLinkAccounts(context),
  };
  const findCurrent = (href: string) => {
    if (url.path === href) return 'page';
    return href !== '/account/' && url.path.startsWith(href) && 'true';
  };
  return (
    <nav class="sections" aria-label={t('account.manage')}>
      <ul>
        {sections
          .filter(([href]) => isOffered[href] ?? true)
          .map(([href, title]) => (
            <LinkItem href={href} current={findCurrent(href)}>
              {t(title)}
            </LinkItem>
          ))}
      </ul>
    </nav>
  );
}
