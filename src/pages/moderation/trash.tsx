import { transactOnce } from '../../gallery/changes/write.ts';
import { requireId } from '../../gallery/ids.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { restoreFromTrash } from '../../gallery/projects/change.ts';
import { daysInTrash } from '../../gallery/projects/erase.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { DateText } from '../dates.tsx';
import { CsrfField } from '../form.tsx';
import { ContributorLink } from '../links.tsx';
import { loadListPage } from '../listing.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { typeNames } from '../type-names.ts';
import { renderModerationPage } from './moderation-page.tsx';

const path = '/moderation/trash/';

export async function showTrashPage({ projects }: PageDependencies, context: PageContext) {
  const { viewer, url } = context;
  authorizeAny(viewer, 'seeReports');
  const projectPage = await loadListPage(projects.listTrash(viewer), url.query);
  return renderModerationPage(context, {
    path,
    children: (
      <>
        <p class="faint">Everything here is deleted for good after {daysInTrash} days.</p>
        {projectPage.count === 0 && <p class="empty">The trash is empty.</p>}
        <ul class="rows">
          {projectPage.items.map((project) => (
            <li>
              <div>
                <b>
                  <bdi>{project.title}</bdi>
                </b>
                <p class="byline">
                  {typeNames[project.content_type].one} by <ContributorLink project={project} />
                  {' · '}
                  <DateText instant={project.created} />
                </p>
              </div>
              <form method="post" action={path}>
                <CsrfField />
                <button class="quiet" type="submit" name="project" value={String(project.id)}>
                  Restore<span class="visually-hidden"> {project.title}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
        <Pager {...projectPage} urlOf={createPageUrl(path)} />
      </>
    ),
  });
}

export async function submitRestoreTrashed(deps: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'decide');
  const id = requireId((await context.request.readBody()).data.project);
  await transactOnce(deps.database, context, (write) => restoreFromTrash(write, id));
  return seeOther(path);
}
