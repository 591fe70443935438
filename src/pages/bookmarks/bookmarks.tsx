// /bookmarks/: the projects that the viewer has bookmarked, and the button on the page of each project.

import {
  addBookmark,
  isBookmarked,
  listBookmarks,
  loadBookmarked,
  removeBookmark,
} from '../../gallery/bookmarks/bookmark.ts';
import { projectPath } from '../../gallery/paths.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { isAnonymous } from '../../gallery/viewer.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { listNeighboursScript, loadMoreScript } from '../assets.ts';
import { Cards, loadCardData } from '../home/cards.tsx';
import { formatPageTitle, loadListPage } from '../home/listing.ts';
import { Pager, SignInButton } from '../layout/components.tsx';
import { Form, visuallyHidden } from '../layout/form.tsx';
import { Page } from '../layout/layout.tsx';
import { form, type PageContext, page, seeOther } from '../page.ts';
import { findProject } from '../project/find-project.ts';

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

/** Undefined for one's own project. */
export async function loadBookmarkButton({ database, viewer, t, rich }: PageContext, project: Project) {
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

export const bookmarkRoutes = [
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
