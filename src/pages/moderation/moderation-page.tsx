// The layout of the pages for moderators, with the navigation between them.

import { Conflict, Invalid } from '../../common/errors.ts';
import { adminStylesheet } from '../assets.ts';
import { LinkItem } from '../layout/components.tsx';
import { Page, type PageProps } from '../layout/layout.tsx';
import { useLayout } from '../layout/layout-data.ts';
import { Badge } from '../layout/user-navigation.tsx';

const sections = {
  '/moderation/': 'moderation.queue',
  '/moderation/waiting/': 'moderation.waiting',
  '/moderation/log/': 'moderation.log',
  '/moderation/removed/': 'moderation.removed',
  '/moderation/trash/': 'moderation.trash',
  '/moderation/people/': 'moderation.people',
  '/moderation/invitations/': 'moderation.invitations',
  '/moderation/classes/': 'moderation.classes',
} as const;

interface ModerationPageProps extends Pick<PageProps, 'scripts' | 'children'> {
  readonly path: keyof typeof sections;
}

export function ModerationPage({ path, scripts, children }: ModerationPageProps) {
  const { language, openCases = {} } = useLayout();
  const { t } = language;
  return (
    <Page
      title={t('moderation.sectionTitle', { section: t(sections[path]) })}
      isForm
      stylesheets={[adminStylesheet]}
      scripts={scripts}
    >
      <h1>{t('moderation.title')}</h1>
      <nav class="list-filters" aria-label={t('moderation.title')}>
        <ul class="types all-shown">
          {Object.entries(sections).map(([sectionPath, name]) => (
            <LinkItem href={sectionPath} current={sectionPath === path && 'page'}>
              {t(name)}
              <Badge count={openCases[sectionPath] ?? 0} />
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
