// A row of projects above the list of the home page: those that moderators feature, and those of people whom the viewer follows.

import { loadFollowedProjects } from '../../gallery/follows/new-projects.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { followingPath } from '../follows/follow-button.tsx';
import type { PageContext } from '../page.ts';
import { Cards, loadCardData } from './cards.tsx';

/** One row on wide screens. */
const shelfSize = 4;

/** Undefined if there are no projects. `id` is the one of its heading. */
async function loadShelf(
  { projects, viewer, t }: PageContext,
  id: 'featured' | 'followed',
  shown: readonly Project[],
) {
  if (shown.length === 0) return undefined;
  return (
    <section class="home-shelf" aria-labelledby={id}>
      <div class="list-heading">
        <h2 id={id}>{t(`home.${id}`)}</h2>
        {id === 'followed' && (
          <p class="to-wall">
            <a href={followingPath}>{t('follows.all')}</a>
          </p>
        )}
      </div>
      <Cards data={await loadCardData(projects, viewer, shown)} level="h3" />
    </section>
  );
}

export const loadFeaturedShelf = async (context: PageContext) =>
  loadShelf(context, 'featured', await context.projects.listFeatured(shelfSize));

export async function loadFollowedShelf(context: PageContext) {
  const { database, viewer } = context;
  const isVisitor = viewer.contributor === null;
  const found = isVisitor ? [] : await loadFollowedProjects(database, viewer, shelfSize);
  return loadShelf(context, 'followed', found);
}
