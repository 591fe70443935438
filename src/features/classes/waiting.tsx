// /content/<uuid>/<slug>/class/waiting/: what the accounts that a class looks after want to publish, until a teacher has
// looked at it.

import sql from 'sql-template-tag';
import { createPageUrl } from '#rest/pagination.ts';
import { adminStylesheet, moderationScript } from '../../core/pages/assets.ts';
import { type PageContext, page } from '../../core/pages/page.ts';
import { loadListPage } from '../../projects/pages/list/list-query.ts';
import type { Project } from '../../projects/project.ts';
import { listWaiting } from '../review/review.ts';
import { renderWaiting, submitReview } from '../review/waiting-page.tsx';
import { ClassPage, classPath, findClass } from './class-page.tsx';
import { isLookedAfterBySql, isReviewedInSql } from './class-people.ts';

const path = '/content/:uuid/:slug/class/waiting/';
const pageSize = 10;

/** Works that wait for this teacher in one class. */
export const listWaitingIn = ({ database, viewer }: PageContext, { id }: Pick<Project, 'id'>) =>
  listWaiting(database, viewer, {
    work: isReviewedInSql('project', [id]),
    author: (author) => sql`exists (select 1 ${isLookedAfterBySql(author, [id])})`,
  });

async function showWaitingPage(context: PageContext) {
  const collection = await findClass(context);
  const list = await loadListPage(listWaitingIn(context, collection), context.url.query, pageSize);
  return context.render(
    <ClassPage
      collection={collection}
      section="class/waiting/"
      stylesheets={[adminStylesheet]}
      scripts={[moderationScript]}
    >
      {await renderWaiting(context, list, createPageUrl(classPath(collection, 'class/waiting/')))}
    </ClassPage>,
  );
}

export const classWaitingRoutes = [
  page(path, 'changeCollection', showWaitingPage, async (context) => {
    const collection = await findClass(context);
    return submitReview(context, classPath(collection, 'class/waiting/'));
  }),
];
