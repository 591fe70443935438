// The layout of the pages for moderators, with the navigation between them.

import type { Child } from 'hono/jsx';
import { Conflict, Invalid } from '../../errors.ts';
import { getFormTitle } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import type { PageContext } from '../page-context.ts';

const sections = {
  '/moderation/': 'Queue',
  '/moderation/log/': 'Log',
  '/moderation/removed/': 'Removed',
  '/moderation/trash/': 'Trash',
  '/moderation/people/': 'People',
} as const;

interface ModerationPageContent {
  readonly path: keyof typeof sections;
  readonly scripts?: readonly string[];
  readonly children: Child;
}

export function renderModerationPage(
  { layout, formErrors }: PageContext,
  { path, scripts, children }: ModerationPageContent,
) {
  return renderPage(layout, {
    title: getFormTitle(formErrors, `Moderation: ${sections[path]}`),
    isIndexed: false,
    cache: 'no-store',
    scripts,
    children: (
      <>
        <h1>Moderation</h1>
        <nav class="list-filters" aria-label="Moderation">
          <ul class="types">
            {Object.entries(sections).map(([sectionPath, name]) => (
              <li>
                <a href={sectionPath} aria-current={sectionPath === path ? 'page' : undefined}>
                  {name}
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
    throw new Invalid({ non_field_errors: [error.message] });
  }
}
