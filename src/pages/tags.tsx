// /tags/: all tags, the most used first.

import { listTags, tagOrders } from '../gallery/tags/find.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { jsonAlternate } from './alternates.ts';
import { renderPage } from './layout.tsx';
import { createPageHref, loadPage } from './listing.ts';
import type { PageContext, PageDependencies } from './page-context.ts';
import { redirectPermanently } from './redirects.ts';

const pageSize = 200;

export async function showTagsPage({ database }: PageDependencies, { url, origin, layout }: PageContext) {
  if (!url.hasFinalSlash) return redirectPermanently(`${origin}/tags/`, url);
  const tags = listTags(database, '', tagOrders['-count'] ?? []);
  const { items, ...pagination } = await loadPage(tags, url.query, pageSize);
  const pageHref = createPageHref('/tags/', new URLSearchParams());
  return renderPage(layout, {
    title: pagination.number > 1 ? `Tags, page ${pagination.number}` : 'Tags',
    description: 'The tags of what people made.',
    canonical: `${origin}${pageHref(pagination.number)}`,
    alternates: [jsonAlternate('/api/v1/tags/?format=json')],
    children: (
      <>
        <h1>Tags</h1>
        {items.length === 0 && <p class="empty">Nothing has a tag yet.</p>}
        <ul class="tags all">
          {items.map(({ name, count }) => (
            <li>
              <a href={tagHref(name)}>
                <bdi>{name}</bdi>
              </a>{' '}
              <span class="faint">{count.toLocaleString('en')}</span>
            </li>
          ))}
        </ul>
        <Pager {...pagination} urlOf={pageHref} />
      </>
    ),
  });
}

export const tagHref = (tag: string) => `/?${new URLSearchParams({ tags: tag })}`;
