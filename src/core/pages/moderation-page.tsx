// The layout of the pages for moderators, with the navigation between them.

import { Conflict, Invalid } from '#common/errors.ts';
import { adminStylesheet } from './assets.ts';
import { LinkItem } from './layout/components.tsx';
import { Page, type PageProps } from './layout/layout.tsx';
import { type PageLink, useLayout, useLinks } from './layout/layout-data.ts';
import { Badge } from './layout/user-navigation.tsx';

const sections: readonly PageLink[] = [
  { href: '/moderation/', text: 'moderation.queue' },
  { href: '/moderation/waiting/', text: 'moderation.waiting' },
  { href: '/moderation/log/', text: 'moderation.log' },
  { href: '/moderation/removed/', text: 'moderation.removed' },
  { href: '/moderation/trash/', text: 'moderation.trash' },
  { href: '/moderation/people/', text: 'moderation.people' },
  { href: '/moderation/invitations/', text: 'moderation.invitations' },
];

declare module './layout/layout-data.ts' {
  interface LinkPlaces {
    /** Other pages for moderators. */
    moderation: true;
  }
}

interface ModerationPageProps extends Pick<PageProps, 'scripts' | 'children'> {
  readonly path: string;
}

export function ModerationPage({ path, scripts, children }: ModerationPageProps) {
  const { language, openCases = {} } = useLayout();
  const { t } = language;
  const all = [...sections, ...useLinks('moderation')];
  const { text = 'moderation.title' } = all.find(({ href }) => href === path) ?? {};
  return (
    <Page
      title={t('moderation.sectionTitle', { section: t(text) })}
      isForm
      stylesheets={[adminStylesheet]}
      scripts={scripts}
    >
      <h1>{t('moderation.title')}</h1>
      <nav class="list-filters" aria-label={t('moderation.title')}>
        <ul class="types all-shown">
          {all.map(({ href, text }) => (
            <LinkItem href={href} current={href === path && 'page'}>
              {t(text)}
              <Badge count={openCases[href] ?? 0} />
            </LinkItem>
          ))}
        </ul>
      </nav>
      {children}
    </Page>
  );
}

/** Shows a conflict on the page itself, which lists what is left to decide: another moderator was faster. */
export async function showConflictOnPage<Result>(work: () => Promise<Result>): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Conflict)) throw error;
    throw new Invalid({ non_field_errors: [error.text] });
  }
}
