// The list of the pages of an account that the viewer may open, beside each of them.

import { can } from '../viewer/permissions.ts';
import { LinkItem } from './layout/components.tsx';
import type { PageContext } from './page.ts';

declare module './layout/layout-data.ts' {
  interface LinkPlaces {
    /** The pages of an account. */
    account: true;
    /** Those for people who write programs. */
    'account.programs': true;
  }
}

export function accountSections({ features, viewer, url, t }: PageContext) {
  const findCurrent = (href: string) => {
    if (url.path === href) return 'page';
    return href !== '/account/' && url.path.startsWith(href) && 'true';
  };
  const listLinks = (place: 'account' | 'account.programs') =>
    (features.links[place] ?? [])
      .filter(({ permission = 'read' }) => can(viewer, permission))
      .map(({ href, text }) => (
        <LinkItem href={href} current={findCurrent(href)}>
          {t(text)}
        </LinkItem>
      ));
  const forPrograms = listLinks('account.programs');
  return (
    <nav class="sections" aria-label={t('account.manage')}>
      <ul>{listLinks('account')}</ul>
      {forPrograms.length > 0 && (
        <>
          <h2>{t('account.forPrograms')}</h2>
          <ul>{forPrograms}</ul>
        </>
      )}
    </nav>
  );
}
