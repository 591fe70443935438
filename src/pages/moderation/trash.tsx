import { requireId } from '../../gallery/ids.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { restoreFromTrash } from '../../gallery/projects/writing/change.ts';
import { daysInTrash } from '../../gallery/projects/writing/erase.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { loadListPage } from '../home/listing.ts';
import { BoldName, Pager, ProjectByline } from '../layout/components.tsx';
import { Form, NamedAction } from '../layout/form.tsx';
import { anyone, form, type PageContext, page, seeOther } from '../page.ts';
import { ModerationPage } from './moderation-page.tsx';

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
            <Form action={path}>
              <button class="quiet" type="submit" name="project" value={String(project.id)}>
                <NamedAction action={t('form.restore')} name={project.title} />
              </button>
            </Form>
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
