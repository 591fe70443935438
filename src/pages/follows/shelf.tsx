// The newest projects of the people whom the viewer follows, on the home page.

import { loadFollowedProjects } from '../../gallery/follows/new-projects.ts';
import { Cards, loadCardData } from '../home/cards.tsx';
import type { PageContext } from '../page.ts';
import { followingPath } from './follow-button.tsx';

/** One row on wide screens. */
const shelfSize = 4;

/** Undefined if there is nothing. */
export async function loadFollowedShelf({ database, projects, viewer, t }: PageContext) {
  const found = viewer.contributor === null ? [] : await loadFollowedProjects(database, viewer, shelfSize);
  if (found.length === 0) return undefined;
  return (
    <section class="home-shelf" aria-labelledby="followed">
      <div class="list-heading">
        <h2 id="followed">{t('follows.shelf')}</h2>
        <p class="to-wall">
          <a href={followingPath}>{t('follows.all')}</a>
        </p>
      </div>
      <Cards data={await loadCardData(projects, viewer, found)} level="h3" />
    </section>
  );
}
