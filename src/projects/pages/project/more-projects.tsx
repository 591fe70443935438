// The end of a project's page: where to go from the list that one came from, more by the same person, and projects with the
// same tags.

import { displayName } from '../../../core/contributors/contributor.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { contributorPath } from '../../../core/paths.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import type { ProjectFinder } from '../../reading/find-projects.ts';
import { type CardData, Cards, loadCardData } from '../list/cards.tsx';

/** A row on a wide screen. */
const maxCards = 4;

/** The projects of both lists, with what their cards show. */
export interface MoreProjectsData {
  readonly byContributor: CardData;
  readonly similar: CardData;
}

/** Nothing for a comment. */
export async function loadMoreProjects(
  projects: ProjectFinder,
  viewer: Viewer,
  project: Project,
): Promise<MoreProjectsData | undefined> {
  if (project.content_type === 'comment') return undefined;
  const { byContributor, similar } = await projects.listMore(project, maxCards);
  const data = await loadCardData(projects, viewer, [...byContributor, ...similar]);
  return { byContributor: { ...data, projects: byContributor }, similar: { ...data, projects: similar } };
}

export function MoreProjects({ project, more }: { project: Project; more: MoreProjectsData }) {
  const { t, rich } = useLanguage();
  const { byContributor, similar } = more;
  const name = (
    <a href={contributorPath(project.contributor, project.username)}>
      <bdi>{displayName(project)}</bdi>
    </a>
  );
  return (
    <div class="more-projects">
      {byContributor.projects.length > 0 && (
        <section aria-labelledby="more-by">
          <h2 id="more-by">{rich('project.moreBy', { name })}</h2>
          <Cards data={byContributor} level="h3" hidesContributor />
        </section>
      )}
      {similar.projects.length > 0 && (
        <section aria-labelledby="similar">
          <h2 id="similar">{t('project.similar')}</h2>
          <Cards data={similar} level="h3" />
        </section>
      )}
    </div>
  );
}

/** For `list-neighbours.js`, which knows the list that the project was opened from. */
export const ListNeighbours = cached(function ListNeighbours() {
  const { t } = useLanguage();
  return (
    <nav
      class="list-neighbours"
      aria-label={t('project.list')}
      data-previous={t('pager.previous')}
      data-next={t('pager.next')}
      data-back={t('project.toList')}
      hidden
    />
  );
});
