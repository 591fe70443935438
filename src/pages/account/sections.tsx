// The list of the pages of an account, beside each of them.

import { LinkItem } from '../layout/components.tsx';
import type { PageContext } from '../page.ts';

const sections = [
  ['/account/', 'account.title'],
  ['/account/profile/', 'profile.title'],
  ['/account/notifications/', 'notifications.title'],
  ['/account/email/', 'email.title'],
  ['/account/password/', 'account.changePassword'],
  ['/account/passkeys/', 'passkeys.title'],
  ['/account/second-step/', 'secondFactorSignIn.title'],
  ['/account/keys/', 'keys.title'],
  ['/account/webhooks/', 'webhooks.title'],
  ['/account/import/', 'import.title'],
  ['/account/leave/', 'account.delete'],
] as const;

export function accountSections({ accounts, url, t }: PageContext) {
  const findCurrent = (href: string) => {
    if (url.path === href) return 'page';
    return href !== '/account/' && url.path.startsWith(href) && 'true';
  };
  return (
    <nav class="sections" aria-label={t('account.manage')}>
      <ul>
        {sections
          .filter(([href]) => accounts.sendsMail || href !== '/account/email/')
          .map(([href, title]) => (
            <LinkItem href={href} current={findCurrent(href)}>
              {t(title)}
            </LinkItem>
          ))}
      </ul>
    </nav>
  );
}
