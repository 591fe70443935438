// The layout of the pages for moderators, with the navigation between them.

import { Conflict, Invalid } from '../../common/errors.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { adminStylesheet } from '../assets.ts';
import { getFormTitle } from '../layout/form.tsx';
import { renderPage } from '../layout/layout.tsx';
import type { PageContext } from '../page-context.ts';

const sections = {
  '/moderation/': 'moderation.queue',
  '/moderation/log/': 'moderation.log',
  '/moderation/removed/': 'moderation.removed',
  '/moderation/trash/': 'moderation.trash',
  '/moderation/people/': 'moderation.people',
} as const;

interface ModerationPageContent {
  readonly path: keyof typeof sections;
  readonly scripts?: readonly string[];
  readonly children: Child;
}

export function renderModerationPage(
  context: PageContext,
  { path, scripts, children }: ModerationPageContent,
) {
  const { layout, t } = context;
  return renderPage(layout, {
    title: getFormTitle(context, t('moderation.sectionTitle', { section: t(sections[path]) })),
    head: <link rel="stylesheet" href={adminStylesheet} />,
    scripts,
    children: (
      <>
        <h1>{t('moderation.title')}</h1>
        <nav class="list-filters" aria-label={t('moderation.title')}>
          <ul class="types">
            {Object.entries(sections).map(([sectionPath, name]) => (
              <li>
                <a href={sectionPath} aria-current={sectionPath === path ? 'page' : undefined}>
                  {t(name)}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {children}
      </>
    ),
  });
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
