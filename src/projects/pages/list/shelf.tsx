// A row of projects above the list of the home page.

import type { PageLink } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import type { MessageKey } from '../../../core/texts/languages.ts';
import type { Project } from '../../project.ts';
import { Cards, loadCardData } from './cards.tsx';

/** One row on wide screens. */
export const shelfSize = 4;

interface Shelf {
  /** That of its heading. */
  readonly id: string;
  readonly title: MessageKey;
  /** A link beside the heading. */
  readonly all?: PageLink;
}

/** Undefined if there are no projects. */
export async function loadShelf(
  { projects, viewer, t }: PageContext,
  { id, title, all }: Shelf,
  shown: readonly Project[],
) {
  if (shown.length === 0) return undefined;
  return (
    <section class="home-shelf" aria-labelledby={id}>
      <div class="list-heading">
        <h2 id={id}>{t(title)}</h2>
        {all && (
          <p class="to-wall">
            <a href={all.href}>{t(all.text)}</a>
          </p>
        )}
      </div>
      <Cards data={await loadCardData(projects, viewer, shown)} level="h3" />
    </section>
  );
}
