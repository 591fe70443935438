// The list of the pages of an account, beside each of them.

import { LinkItem } from './layout/components.tsx';
import { linkedPath, type PageContext } from './page.ts';

declare module './layout/layout-data.ts' {
  interface LinkPlaces {
    /** The pages of an account. */
    account: true;
  }
}

/** People have linked accounts where they sign in elsewhere, or because of a feature. */
export const canLinkAccounts = (context: PageContext): boolean =>
  context.features.accountLinks.some((links) => links(context));

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
        {(context.features.links.account ?? [])
          .filter(({ href }) => isOffered[href] ?? true)
          .map(({ href, text }) => (
            <LinkItem href={href} current={findCurrent(href)}>
              {t(text)}
            </LinkItem>
          ))}
      </ul>
    </nav>
  );
}
