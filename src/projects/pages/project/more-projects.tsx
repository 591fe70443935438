// The end of a project's page: where to go from the list that one came from, more by the same person, and projects with the
// same tags.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import { contributorPath } from '../../../core/paths.ts';
import { anonymous } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import { type BriefProject, loadVisible } from '../../reading/listing.ts';
import { isListedSql } from '../../visibility/visible-to.ts';
import { loadCards } from '../list/kept-cards.tsx';

/** A row on a wide screen. */
const maxCards = 4;

/** The cards of both lists, undefined for none. */
export interface MoreProjectsData {
  readonly byContributor: Child;
  readonly similar: Child;
}

/** What visitors see. Nothing for a comment. */
export async function loadMoreProjects(
  context: PageContext,
  project: Project,
): Promise<MoreProjectsData | undefined> {
  if (project.content_type === 'comment') return undefined;
  const { byContributor, similar } = await context.projects.listMore(project, maxCards);
  const load = (ids: readonly number[]) => loadVisible(context.database, ids, isListedSql);
  const loadSome = (projects: readonly BriefProject[], hidesContributor: boolean) =>
    projects.length === 0
      ? undefined
      : loadCards({ ...context, viewer: anonymous }, { projects, load }, { level: 'h3', hidesContributor });
  const [own, others] = await Promise.all([loadSome(byContributor, true), loadSome(similar, false)]);
  return { byContributor: own, similar: others };
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
      {byContributor && (
        <section aria-labelledby="more-by">
          <h2 id="more-by">{rich('project.moreBy', { name })}</h2>
          {byContributor}
        </section>
      )}
      {similar && (
        <section aria-labelledby="similar">
          <h2 id="similar">{t('project.similar')}</h2>
          {similar}
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
