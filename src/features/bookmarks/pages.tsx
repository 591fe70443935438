// /bookmarks/: the projects that the viewer has bookmarked, and the button on the page of each project.

import { createPageUrl } from '#rest/pagination.ts';
import { loadMoreScript } from '../../core/pages/assets.ts';
import { Pager, SignInButton } from '../../core/pages/layout/components.tsx';
import { Form, visuallyHidden } from '../../core/pages/layout/form.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { form, type PageContext, page, type Sections, seeOther } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { isAnonymous } from '../../core/viewer/viewer.ts';
import { findRefusalToKeep } from '../../projects/hooks.ts';
import { Cards, loadCardData } from '../../projects/pages/list/cards.tsx';
import { formatPageTitle, loadListPage } from '../../projects/pages/list/list-query.ts';
import { findProject } from '../../projects/pages/project/find-project.ts';
import { listNeighboursScript } from '../../projects/pages/project-assets.ts';
import type { Project } from '../../projects/project.ts';
import { addBookmark, isBookmarked, listBookmarks, loadBookmarked, removeBookmark } from './bookmark.ts';

const path = '/bookmarks/';

async function showBookmarksPage(context: PageContext) {
  const { database, projects, viewer, url, layout, t } = context;
  const listPage = await loadListPage(listBookmarks(database, viewer), url.query);
  const found = await loadBookmarked(database, viewer, listPage.items);
  return context.render(
    <Page
      title={formatPageTitle(layout.language, t('bookmarks.title'), listPage.number)}
      scripts={[loadMoreScript, listNeighboursScript]}
    >
      <h1>{t('bookmarks.title')}</h1>
      <p>{t(found.length === 0 ? 'bookmarks.empty' : 'bookmarks.onlyYou')}</p>
      {found.length > 0 && <Cards data={await loadCardData(projects, viewer, found)} />}
      <Pager {...listPage} urlOf={createPageUrl(path)} loadedCount={listPage.items.length} />
    </Page>,
  );
}

/** Not for one's own project. */
async function loadButton({ database, viewer, t, rich }: PageContext, project: Project) {
  if (findRefusalToKeep(project)) return undefined;
  if (isAnonymous(viewer)) return <SignInButton>{t('bookmarks.add')}</SignInButton>;
  if (viewer.contributor === project.contributor) return undefined;
  const isSet = await isBookmarked(database, viewer, project.id);
  return (
    <Form action={`${projectPath(project)}bookmark/`}>
      <button type="submit" class="quiet toggle" name="bookmarked" value={isSet ? 'no' : 'yes'}>
        {rich(isSet ? 'bookmarks.remove' : 'bookmarks.add', { hidden: visuallyHidden })}
      </button>
    </Form>
  );
}

export const sections: Sections = { 'project.actions': loadButton };

export const routes = [
  page(path, 'seeAccount', showBookmarksPage),
  form('/content/:uuid/:slug/bookmark/', 'keepLists', async (context) => {
    const project = await findProject(context);
    const isWanted = (await context.request.readBody()).data.bookmarked === 'yes';
    await context.transact((write) =>
      isWanted ? addBookmark(write, { uuid: project.uuid }) : removeBookmark(write, project.id),
    );
    return seeOther(projectPath(project));
  }),
];
