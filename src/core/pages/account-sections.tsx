// The list of the pages of an account, beside each of them.

import { LinkItem } from './layout/components.tsx';
import type { PageContext } from './page.ts';

declare module './layout/layout-data.ts' {
  interface LinkPlaces {
    /** The pages of an account. */
    account: true;
  }
}

export function accountSections({ features, url, t }: PageContext) {
  const findCurrent = (href: string) => {
    if (url.path === href) return 'page';
    return href !== '/account/' && url.path.startsWith(href) && 'true';
  };
  return (
    <nav class="sections" aria-label={t('account.manage')}>
      <ul>
        {(features.links.account ?? []).map(({ href, text }) => (
          <LinkItem href={href} current={findCurrent(href)}>
            {t(text)}
          </LinkItem>
        ))}
      </ul>
    </nav>
  );
}
