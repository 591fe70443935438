// /: the list of projects. Filters and order are in the URL, so that a list can be shared.

import { contentTypes } from '../gallery/projects/project.ts';
import { createPageUrl } from '../rest/pagination.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { urlWithParameters } from '../rest/request-url.ts';
import { feedAlternates, jsonAlternate } from './alternates.ts';
import { loadMoreScript } from './assets.ts';
import { Cards, loadCardData } from './cards.tsx';
import { renderPage } from './layout.tsx';
import { formatPageTitle, type ListQuery, loadListPage, parseListQuery } from './listing.ts';
import type { PageContext, PageDependencies } from './page-context.ts';

const sortOrders = [
  ['', 'newest'],
  ['created', 'oldest'],
  ['-karma', 'most karma'],
  ['-rating_sum', 'best rated'],
  ['title', 'by title'],
] as const;

export async function showHomePage(
  { projects }: PageDependencies,
  { url, origin, viewer, layout }: PageContext,
) {
  const listQuery = parseListQuery(projects, viewer, url.query);
  const { filters, query } = listQuery;
  const projectPage = await loadListPage(listQuery.listing, url.query);
  const cardData = await loadCardData(projects, viewer, projectPage.items);
  const search = filters.get('search')?.text;
  const { heading, title } = getListTitle(listQuery);
  const pageUrl = createPageUrl('/', query);
  return renderPage(layout, {
    title: formatPageTitle(title, projectPage.number),
    description: 'What people made, and whose work it began as.',
    canonical: `${origin}${pageUrl(projectPage.number)}`,
    alternates: [
      jsonAlternate(urlWithParameters('/api/v1/projects/', toApiQuery(listQuery), { format: 'json' })),
      ...feedAlternates('/', query.size ? `?${query}` : '', title),
    ],
    scripts: [loadMoreScript],
    // Combinations of filters have no end: search engines index lists with at most one filter.
    isIndexed: query.size <= 1 && search === undefined,
    search: { text: search ?? '', hiddenFields: [...query].filter(([name]) => name !== 'search') },
    children: (
      <>
        <h1>{heading}</h1>
        <ListFilters listQuery={listQuery} />
        <p class="count">
          {projectPage.count.toLocaleString('en')} {projectPage.count === 1 ? 'thing' : 'things'}
        </p>
        {projectPage.count === 0 ? <EmptyList listQuery={listQuery} /> : <Cards data={cardData} />}
        <Pager {...projectPage} urlOf={pageUrl} />
      </>
    ),
  });
}

/** The API lists comments too, unless the query excludes them. */
function toApiQuery({ effectiveFilters, query }: ListQuery): URLSearchParams {
  const types = effectiveFilters.get('content_type__in')?.text;
  return types === undefined ? query : new URLSearchParams([...query, ['content_type__in', types]]);
}

export function getListTitle({ filters }: ListQuery) {
  const [search, tags] = [filters.get('search')?.text, filters.get('tags')?.text];
  if (search !== undefined)
    return {
      title: `Search for ${search}`,
      heading: (
        <>
          Found for “<bdi>{search}</bdi>”
        </>
      ),
    };
  if (tags !== undefined)
    return {
      title: `Tagged ${tags}`,
      heading: (
        <>
          Tagged <bdi>{tags}</bdi>
        </>
      ),
    };
  if (filters.has('copied_from')) return { title: 'Copies', heading: 'Copies' };
  return { title: 'Gallery', heading: 'What people made' };
}

function ListFilters({ listQuery: { filters, query, ordering } }: { listQuery: ListQuery }) {
  const type = filters.get('content_type')?.text ?? '';
  const isRanked = filters.has('search');
  return (
    <div class="list-filters">
      <nav aria-label="Types">
        <ul class="types">
          {['', ...contentTypes].map((name) => (
            <li>
              <a
                href={urlWithParameters('/', query, { content_type: name })}
                aria-current={name === type ? 'true' : undefined}
              >
                {name || 'all'}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <nav aria-label="Order">
        <ul class="sort-orders">
          {sortOrders.map(([name, label]) => (
            <li>
              <a
                href={urlWithParameters('/', query, { ordering: name })}
                aria-current={name === ordering ? 'true' : undefined}
              >
                {isRanked && name === '' ? 'best match' : label}
              </a>
            </li>
          ))}
        </ul>
      </nav>
    </div>
  );
}

function EmptyList({ listQuery: { filters } }: { listQuery: ListQuery }) {
  return (
    <div class="empty">
      {filters.size === 0 ? (
        <p>Nobody has shown anything yet. What is made here first will stand in this place.</p>
      ) : (
        <>
          <p>Nothing here fits that.</p>
          <ul>
            {filters.has('search') && <li>Fewer words find more, and the last may be cut short.</li>}
            <li>
              <a href="/tags/">The tags</a> show what there is.
            </li>
            <li>
              <a href="/">Everything</a>, newest first.
            </li>
          </ul>
        </>
      )}
    </div>
  );
}
