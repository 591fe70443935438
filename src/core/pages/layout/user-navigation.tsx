// The part of the header that is the viewer's own.

import { Avatar } from './avatar.tsx';
import { LinkItem } from './components.tsx';
import { ButtonForm } from './form.tsx';
import { maxShownCount, type PageLink, useLanguage, useLayout, useLinks } from './layout-data.ts';

/** Links to sign in, or to the viewer's own pages. */
export function UserNavigation() {
  const { name, canSignUp, language } = useLayout();
  const { t } = language;
  if (name === undefined)
    return (
      <nav class="user-nav" aria-label={t('layout.you')}>
        {canSignUp && (
          <a href="/sign-up/" rel="nofollow">
            {t('layout.signUp')}
          </a>
        )}
        <a href="/sign-in/" rel="nofollow">
          {t('layout.signIn')}
        </a>
      </nav>
    );
  return (
    <nav class="user-nav" aria-label={t('layout.you')}>
      <a class="new-project" href="/new/">
        {t('layout.create')}
      </a>
      {useLinks('bell').map((link) => (
        <Bell link={link} />
      ))}
      <UserMenu name={name} />
    </nav>
  );
}

function UserMenu({ name }: { name: string }) {
  const { avatar, viewer, csrfToken, language } = useLayout();
  const { t } = language;
  const ends = useLinks('menu.end').map((link) => ({ ...link, count: useCountOf(link) }));
  return (
    <details class="menu">
      <summary>
        {viewer.contributor !== null && <Avatar person={{ contributor: viewer.contributor, name, avatar }} />}
        <bdi class="own-name">{name}</bdi>
        <Badge count={ends.reduce((sum, { count }) => sum + count, 0)} />
      </summary>
      <ul>
        <li class="to-tags">
          <a href="/tags/">{t('layout.tags')}</a>
        </li>
        {useLinks('menu').map(({ href, text }) => (
          <LinkItem href={href}>{t(text)}</LinkItem>
        ))}
        {ends.map(({ href, text, count }) => (
          <LinkItem href={href}>
            {t(text)}
            <Badge count={count} />
          </LinkItem>
        ))}
        {csrfToken && (
          <li>
            <ButtonForm action="/sign-out/" variant="plain">
              {t('layout.signOut')}
            </ButtonForm>
          </li>
        )}
      </ul>
    </details>
  );
}

function useCountOf({ countsOf }: PageLink): number {
  const { counts } = useLayout();
  return countsOf ? useLinks(countsOf).reduce((sum, { href }) => sum + (counts[href] ?? 0), 0) : 0;
}

function Bell({ link: { href, text } }: { link: PageLink }) {
  const { counts, language } = useLayout();
  const { t } = language;
  const unreadCount = counts[href] ?? 0;
  const count = formatCount(unreadCount);
  return (
    <a class="bell" href={href} aria-label={unreadCount ? t('layout.unread', { count }) : t(text)}>
      <svg viewBox="0 0 24 24" width="20" height="20" aria-hidden="true">
        <path d="M4.5 17h15l-1.8-2.6V10a5.7 5.7 0 0 0-11.4 0v4.4zM10 20.5h4" class="icon" />
      </svg>
      {unreadCount > 0 && <span class="badge">{count}</span>}
    </a>
  );
}

const formatCount = (count: number) => (count > maxShownCount ? `${maxShownCount}+` : String(count));

export function Badge({ count }: { count: number }) {
  const { t } = useLanguage();
  if (count === 0) return null;
  return (
    <>
      {' '}
      <span class="badge">
        {formatCount(count)}
        <span class="visually-hidden"> {t('layout.openReports')}</span>
      </span>
    </>
  );
}
