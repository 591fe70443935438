// The layout of the pages for moderators, with the navigation between them.

import { Conflict, Invalid } from '#common/errors.ts';
import { adminStylesheet, formPageStylesheet } from './assets.ts';
import { LinkItem, LinkTabs } from './layout/components.tsx';
import { Page, type PageProps } from './layout/layout.tsx';
import { useLayout, useLinks } from './layout/layout-data.ts';
import { Badge } from './layout/user-navigation.tsx';

declare module './layout/layout-data.ts' {
  interface LinkPlaces {
    /** The pages for moderators. */
    moderation: true;
  }
}

interface ModerationPageProps extends Pick<PageProps, 'scripts' | 'children'> {
  readonly path: string;
}

export function ModerationPage({ path, scripts, children }: ModerationPageProps) {
  const { language, counts } = useLayout();
  const { t } = language;
  const links = useLinks('moderation');
  const { text = 'moderation.title' } = links.find(({ href }) => href === path) ?? {};
  return (
    <Page
      title={t('moderation.sectionTitle', { section: t(text) })}
      isForm
      stylesheets={[adminStylesheet, formPageStylesheet]}
      scripts={scripts}
    >
      <h1>{t('moderation.title')}</h1>
      <LinkTabs label={t('moderation.title')}>
        {links.map(({ href, text }) => (
          <LinkItem href={href} current={href === path && 'page'}>
            {t(text)}
            <Badge count={counts[href] ?? 0} />
          </LinkItem>
        ))}
      </LinkTabs>
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
