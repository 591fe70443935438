// What stands below a project: more by the same person, and projects with the same tags.

import { displayName } from '../../gallery/contributors/contributor.ts';
import { contributorPath } from '../../gallery/paths.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { ProjectFinder } from '../../gallery/projects/reading/find.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import { type CardData, Cards, loadCardData } from '../home/cards.tsx';
import { excludeComments } from '../home/listing.ts';
import { useLanguage } from '../layout/layout-data.ts';

/** A row on a wide screen. */
const maxCards = 4;

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
  const isOwn = projects.parseFilter('contributor', String(project.contributor));
  const [own, similar] = await Promise.all([
    projects.list(viewer, excludeComments(projects, isOwn)).page(0, maxCards + 1),
    projects.listSimilar(viewer, project, maxCards),
  ]);
  const others = own.filter(({ id }) => id !== project.id).slice(0, maxCards);
  const [byContributor, similarData] = await Promise.all(
    [others, similar].map((list) => loadCardData(projects, viewer, list)),
  );
  return byContributor && similarData && { byContributor, similar: similarData };
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
