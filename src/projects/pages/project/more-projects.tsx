// The end of a project's page: where to go from the list that one came from, more by the same person, and projects with the
// same tags.

import { type Child, raw } from '#rest/jsx/jsx-runtime.ts';
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

/** The cards of both lists; none is an empty text. */
export interface MoreProjectsData {
  readonly byContributor: Child;
  readonly similar: Child;
}

/** As visitors see them, kept until anything in the gallery changes. Nothing for a comment. */
export async function loadMoreProjects(
  context: PageContext,
  project: Project,
): Promise<MoreProjectsData | undefined> {
  if (project.content_type === 'comment') return undefined;
  const { database, fragments, layout } = context;
  const load = () => loadLists(context, project);
  const generation = database.generation();
  const kept = ['more', generation, layout.fragmentScope, project.id, project.record_modified];
  const [own, similar] = (generation === undefined ? await load() : await fragments.texts(kept, load)) ?? [];
  return { byContributor: own && raw(own), similar: similar && raw(similar) };
}

async function loadLists(context: PageContext, project: Project): Promise<readonly string[]> {
  const { byContributor, similar } = await context.projects.listMore(project, maxCards);
  const load = (ids: readonly number[]) => loadVisible(context.database, ids, isListedSql);
  const toHtml = async (projects: readonly BriefProject[], hidesContributor: boolean) =>
    projects.length === 0
      ? ''
      : String(
          await loadCards(
            { ...context, viewer: anonymous },
            { projects, load },
            { level: 'h3', hidesContributor },
          ),
        );
  return Promise.all([toHtml(byContributor, true), toHtml(similar, false)]);
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
