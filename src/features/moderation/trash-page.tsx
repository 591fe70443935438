import { createPageUrl } from '#rest/pagination.ts';
import { requireId } from '../../core/ids.ts';
import { BoldName, Pager } from '../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction } from '../../core/pages/layout/form.tsx';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { anyone, form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { authorizeAny } from '../../core/viewer/permissions.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import { ProjectByline } from '../../projects/pages/project-parts.tsx';
import { restoreFromTrash } from '../../projects/writing/change-project.ts';
import { daysInTrash } from '../../projects/writing/erase.ts';

const path = '/moderation/trash/';

async function showTrashPage(context: PageContext) {
  const { projects, t, viewer, url } = context;
  authorizeAny(viewer, 'seeReports');
  const projectPage = await loadListPage(projects.listTrash(viewer), url.query);
  return context.render(
    <ModerationPage path={path}>
      <p class="faint">{t('mine.trashNote', { days: daysInTrash })}</p>
      {projectPage.count === 0 && <p class="empty">{t('mine.trashEmpty')}</p>}
      <ul class="rows">
        {projectPage.items.map((project) => (
          <li>
            <div>
              <BoldName name={project.title} />
              <ProjectByline project={project} />
            </div>
            <ButtonForm action={path} variant="quiet" name="project" value={String(project.id)}>
              <NamedAction action={t('form.restore')} name={project.title} />
            </ButtonForm>
          </li>
        ))}
      </ul>
      <Pager {...projectPage} urlOf={createPageUrl(path)} />
    </ModerationPage>,
  );
}

export const moderationTrashRoutes = [
  page(path, anyone, showTrashPage),
  form(path, 'decide', async (context) => {
    const id = requireId((await context.request.readBody()).data.project);
    await context.transact((write) => restoreFromTrash(write, id));
    return seeOther(path);
  }),
];
