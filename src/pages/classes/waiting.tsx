// /content/<uuid>/<slug>/class/waiting/: what the accounts that a class looks after want to publish, until a teacher has
// looked at it.

import { listWaiting } from '../../gallery/moderation/review.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { adminStylesheet, moderationScript } from '../assets.ts';
import { loadListPage } from '../home/listing.ts';
import { renderWaiting, submitReview } from '../moderation/waiting.tsx';
import { type PageContext, page } from '../page.ts';
import { ClassPage, classPath, findClass } from './class-page.tsx';

const path = '/content/:uuid/:slug/class/waiting/';
const pageSize = 10;

async function showWaitingPage(context: PageContext) {
  const { database, viewer, url } = context;
  const collection = await findClass(context);
  const list = await loadListPage(listWaiting(database, viewer, collection.id), url.query, pageSize);
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
