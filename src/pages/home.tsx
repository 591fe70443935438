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
import { typeNames } from './type-names.ts';

const sortOrders = [
  ['', 'Newest'],
  ['created', 'Oldest'],
  ['-karma', 'Most karma'],
  ['-rating_sum', 'Top rated'],
  ['title', 'Title A–Z'],
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
    description: 'Projects that people made and shared, and the ideas they grew from.',
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
        <div class="list-heading">
          <h1>{heading}</h1>
          <p class="count">
            {projectPage.count.toLocaleString('en')} {projectPage.count === 1 ? 'project' : 'projects'}
          </p>
        </div>
        <ListFilters listQuery={listQuery} />
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
      title: `Results for ${search}`,
      heading: (
        <>
          Results for “<bdi>{search}</bdi>”
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
  if (filters.has('copied_from')) return { title: 'Remixes', heading: 'Remixes' };
  return { title: 'Gallery', heading: 'Look what we made.' };
}

function ListFilters({ listQuery: { filters, query, ordering } }: { listQuery: ListQuery }) {
  const type = filters.get('content_type')?.text ?? '';
  const orders = sortOrders.map(([name, label]) => ({
    name,
    label: filters.has('search') && name === '' ? 'Best match' : label,
  }));
  return (
    <div class="list-filters">
      <nav aria-label="Types">
        <ul class="types">
          {(['', ...contentTypes] as const).map((name) => (
            <li>
              <a
                href={urlWithParameters('/', query, { content_type: name })}
                aria-current={name === type ? 'true' : undefined}
              >
                {name === '' ? 'Everything' : typeNames[name].many}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <details class="menu">
        <summary>{orders.find(({ name }) => name === ordering)?.label ?? 'Sort'}</summary>
        <nav aria-label="Sort by">
          <ul>
            {orders.map(({ name, label }) => (
              <li>
                <a
                  href={urlWithParameters('/', query, { ordering: name })}
                  aria-current={name === ordering ? 'true' : undefined}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
      </details>
    </div>
  );
}

function EmptyList({ listQuery: { filters } }: { listQuery: ListQuery }) {
  return (
    <div class="empty">
      {filters.size === 0 ? (
        <p>The shelves are empty. The first project to be published will appear here.</p>
      ) : (
        <>
          <p>No projects found.</p>
          <ul>
            {filters.has('search') && <li>Try fewer words, or just the start of the last one.</li>}
            <li>
              Browse <a href="/tags/">the tags</a>.
            </li>
            <li>
              See <a href="/">everything</a>, newest first.
            </li>
          </ul>
        </>
      )}
    </div>
  );
}
