// /tags/: all tags, the most used first.

import { createPageUrl } from '#rest/pagination.ts';
import { jsonAlternate } from '../../../core/pages/layout/alternates.ts';
import { Pager } from '../../../core/pages/layout/components.tsx';
import { Page } from '../../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, redirectPermanently } from '../../../core/pages/page.ts';
import { listTags } from '../../tags/list-tags.ts';
import { formatPageTitle, loadListPage } from './list-query.ts';

const pageSize = 200;

async function showTagsPage(context: PageContext) {
  const { database, url, origin, layout, t } = context;
  const { formatNumber } = layout.language;
  if (!url.hasFinalSlash) return redirectPermanently(context, '/tags/');
  const tags = listTags(database, '');
  const { items, ...pagination } = await loadListPage(tags, url.query, pageSize);
  const pageUrl = createPageUrl('/tags/');
  return context.render(
    <Page
      title={formatPageTitle(layout.language, t('layout.tags'), pagination.number)}
      isPublic
      description={t('tags.description')}
      canonical={`${origin}${pageUrl(pagination.number)}`}
      alternates={[jsonAlternate('/api/v1/tags/?format=json')]}
    >
      <h1>{t('layout.tags')}</h1>
      {items.length === 0 && <p class="empty">{t('tags.empty')}</p>}
      <ul class="tags all">
        {items.map(({ name, count }) => (
          <li>
            <a href={tagHref(name)}>
              <bdi>{name}</bdi> <small>{formatNumber(count)}</small>
            </a>
          </li>
        ))}
      </ul>
      <Pager {...pagination} urlOf={pageUrl} />
    </Page>,
  );
}

export const tagHref = (tag: string) => `/?${new URLSearchParams({ tags: tag })}`;

export const tagRoutes = [page('/tags/', anyone, showTagsPage)];
