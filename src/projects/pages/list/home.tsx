// /: the list of projects. Filters and order are in the URL, so that a list can be shared.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import type { Phrase } from '#sql';
import { contentTypes } from '../../../core/content-types.ts';
import { loadMoreScript } from '../../../core/pages/assets.ts';
import { jsonAlternate } from '../../../core/pages/layout/alternates.ts';
import { NameLink, Pager } from '../../../core/pages/layout/components.tsx';
import { Page } from '../../../core/pages/layout/layout.tsx';
import {
  type Alternate,
  type LayoutData,
  useLanguage,
  useLayout,
} from '../../../core/pages/layout/layout-data.ts';
import { ListLinks } from '../../../core/pages/list-links.tsx';
import { anyone, loadSections, type PageContext, page } from '../../../core/pages/page.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import { can } from '../../../core/viewer/permissions.ts';
import { isAnonymous } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import { briefColumns } from '../../reading/listing.ts';
import { suggestSearch } from '../../searching/search-suggestion.ts';
import { NewProjects } from '../new-items.tsx';
import type { PreviewImage } from '../project/metadata.tsx';
import { listNeighboursScript } from '../project-assets.ts';
import { ProjectLink } from '../project-parts.tsx';
import { ChosenFilters, loadChosenFilters } from './chosen-filters.tsx';
import { findPeople } from './found-people.tsx';
import { loadCards } from './kept-cards.tsx';
import { type CollectionChoice, ListFilters, VisitorListFilters } from './list-filters.tsx';
import {
  findListedCollection,
  formatPageTitle,
  type ListQuery,
  loadListPage,
  parseListQuery,
} from './list-query.ts';

/**
 * Combinations of filters have no end, and works of a person or of a collection have pages that say whether search engines may list
 * them.
 */
const indexedParameters = ['tags', 'content_type', 'license__in', 'ordering'];

interface TagList {
  readonly tag: string;
  /** The path of the list, with its filters. */
  readonly path: string;
  /** The list has no search besides the tag. */
  readonly isAlone: boolean;
}

/** Above the list of a tag. */
interface TagTopic {
  /** For the previews of the page; may be empty. */
  readonly description: string;
  readonly image: PreviewImage | undefined;
  readonly content: Child;
}

interface ShownList {
  /** Its filters and its order. */
  readonly query: URLSearchParams;
  readonly title: string;
}

declare module '../../../core/pages/page.ts' {
  interface Places {
    'home.alternates': Section<ShownList, readonly Alternate[]>;
    'home.head': Section<{
      readonly title: string;
      readonly url: string;
      /** Instead of those of the site. */
      readonly description?: string | undefined;
      readonly image?: PreviewImage | undefined;
    }>;
    /** Notices above everything else. */
    'home.notices': Section<undefined>;
    /** Rows of projects above the list. */
    'home.shelves': Section<undefined>;
    /** Choices of the form with filters. */
    'list.filters': Section<undefined, CollectionChoice>;
    /** Above the first page of the list of a tag. */
    'tag.topic': Section<string, TagTopic>;
    /** Buttons above the list of a tag. */
    'tag.actions': Section<TagList>;
  }
}

async function showHomePage(context: PageContext) {
  const { url, origin, viewer, layout, projects, t } = context;
  const listQuery = parseListQuery(projects, viewer, url.query);
  const { filters, query, effectiveFilters, isNewestFirst } = listQuery;
  const projectPage = await loadListPage(listQuery.listing.select(briefColumns), url.query);
  const isStart = query.size === 0 && projectPage.number === 1;
  const cards = await loadCards(
    context,
    { projects: projectPage.items, load: (ids) => listQuery.listing.load(ids) },
    {
      hasLarge: !isStart && !filters.has('search'),
      phrases: filters.get('search')?.value as readonly Phrase[] | undefined,
    },
  );
  const shelves = isStart ? await loadSections(context, 'home.shelves', undefined) : undefined;
  const isLive = isNewestFirst && projectPage.number === 1;
  const search = filters.get('search')?.text;
  const people =
    search !== undefined && query.size === 1 && projectPage.number === 1
      ? await findPeople(context, search)
      : undefined;
  const suggestion = projectPage.count === 0 ? await suggestSearch(context, viewer, filters) : undefined;
  const collection = await findListedCollection(projects, viewer, listQuery);
  const { heading, title } = getListTitle(listQuery, layout, collection);
  const pageUrl = createPageUrl('/', query);
  const tag = getSingleTag(filters);
  const topic = projectPage.number === 1 ? await loadTopic(context, filters) : undefined;
  const today = Temporal.Now.zonedDateTimeISO(context.timeZone).startOfDay();
  const Filters = isAnonymous(viewer) ? VisitorListFilters : ListFilters;
  const response = context.render(
    <Page
      title={formatPageTitle(layout.language, title, projectPage.number)}
      description={topic?.description || (layout.site.tagline ?? t('home.description'))}
      canonical={`${origin}${pageUrl(projectPage.number)}`}
      alternates={[
        jsonAlternate(urlWithParameters('/api/v1/projects/', toApiQuery(listQuery), { format: 'json' })),
        ...(await loadSections(context, 'home.alternates', { query, title })).flat(),
      ]}
      head={
        await loadSections(context, 'home.head', {
          title: query.size ? title : layout.site.name,
          url: `${origin}${pageUrl(projectPage.number)}`,
          ...topic,
        })
      }
      scripts={[loadMoreScript, listNeighboursScript]}
      isPublic={query.get('contributor') !== 'me'}
      isIndexed={query.size <= 1 && [...query.keys()].every((name) => indexedParameters.includes(name))}
      search={{ text: search ?? '', hiddenFields: [...query].filter(([name]) => name !== 'search') }}
    >
      {await loadSections(context, 'home.notices', undefined)}
      <ListHeading {...projectPage} query={query}>
        {heading}
      </ListHeading>
      {isStart && <p dir="auto">{layout.site.tagline ?? t('home.description')}</p>}
      {topic?.content}
      {tag !== undefined &&
        (await loadSections(context, 'tag.actions', {
          tag,
          path: pageUrl(1),
          isAlone: search === undefined,
        }))}
      {shelves}
      {people}
      <ChosenFilters filters={await loadChosenFilters(context, listQuery, collection)} />
      {(filters.size > 0 || projectPage.count > 0) && (
        <Filters
          search={query.toString()}
          choices={await loadSections(context, 'list.filters', undefined)}
          today={today.toPlainDate().toString()}
        />
      )}
      {isLive && <NewProjects filters={effectiveFilters} projectPage={projectPage} href={pageUrl(1)} />}
      {projectPage.count === 0 ? <EmptyList listQuery={listQuery} suggestion={suggestion} /> : cards}
      <Pager {...projectPage} urlOf={pageUrl} loadedCount={projectPage.items.length} />
    </Page>,
  );
  // The filters offer the last days.
  return { ...response, validUntil: today.add({ days: 1 }).epochMilliseconds };
}

function getSingleTag(filters: ListQuery['filters']): string | undefined {
  const tag = filters.get('tags')?.text.trim();
  return tag && !tag.includes(',') ? tag : undefined;
}

async function loadTopic(context: PageContext, filters: ListQuery['filters']): Promise<TagTopic | undefined> {
  const tag = getSingleTag(filters);
  if (tag === undefined || filters.has('search')) return undefined;
  const [topic] = await loadSections(context, 'tag.topic', tag);
  return topic;
}

interface ListHeadingProps {
  readonly count: number;
  readonly isTruncated: boolean;
  readonly query: URLSearchParams;
  readonly children: Child;
}

const countText = (type: string | null) =>
  type === 'comment' ? 'count.comments' : type === 'collection' ? 'count.collections' : 'count.projects';

/** A wall shows what everybody sees: there is none of one's own projects. */
const ListHeading = ({ count, isTruncated, query, children }: ListHeadingProps) => (
  <div class="list-heading">
    <h1 dir="auto">{children}</h1>
    <p class="count">
      {useLanguage().t(isTruncated ? 'count.moreProjects' : countText(query.get('content_type')), { count })}
    </p>
    {query.get('contributor') !== 'me' && <ListLinks query={query} />}
  </div>
);

/** The API lists comments too, unless the query excludes them. */
function toApiQuery({ effectiveFilters, query }: ListQuery): URLSearchParams {
  const types = effectiveFilters.get('content_type__in')?.text;
  return types === undefined ? query : new URLSearchParams([...query, ['content_type__in', types]]);
}

export function getListTitle(
  { filters }: ListQuery,
  { language: { t, rich }, site }: Pick<LayoutData, 'language' | 'site'>,
  collection: Project | undefined,
) {
  const [search, tags] = [filters.get('search')?.text, filters.get('tags')?.text];
  if (search !== undefined)
    return {
      title: t('home.resultsFor', { search }),
      heading: rich('home.resultsForQuoted', { search: <bdi>{search}</bdi> }),
    };
  if (tags !== undefined)
    return {
      title: t('home.tagged', { tag: tags }),
      heading: rich('home.tagged', { tag: <bdi>{tags}</bdi> }),
    };
  if (collection)
    return {
      title: t('home.inCollection', { title: collection.title }),
      heading: rich('home.inCollection', { title: <ProjectLink project={collection} /> }),
    };
  const name = filters.has('copied_from') ? t('home.remixes') : formatType(filters, t);
  if (name) return { title: name, heading: name };
  return { title: t('home.title'), heading: site.heading ?? t('home.heading') };
}

function formatType(filters: ListQuery['filters'], t: Translator['t']): string | undefined {
  const type = contentTypes.find((name) => name === filters.get('content_type')?.text);
  return type && t(`type.${type}.many`);
}

/** The next step in a gallery without projects. */
function EmptyGallery() {
  const { viewer, canSignUp, language } = useLayout();
  const { t, rich } = language;
  if (can(viewer, 'makeProject'))
    return <p>{rich('home.emptyCreate', { link: (text) => <a href="/new/">{text}</a> })}</p>;
  if (canSignUp) return <p>{rich('home.emptySignUp', { link: (text) => <a href="/sign-up/">{text}</a> })}</p>;
  return <p>{t('home.empty')}</p>;
}

interface EmptyListProps {
  readonly listQuery: ListQuery;
  /** The text of a search that finds something. */
  readonly suggestion: string | undefined;
}

function EmptyList({ listQuery: { filters, query }, suggestion }: EmptyListProps) {
  const { t, rich } = useLanguage();
  return (
    <div class="empty">
      {filters.size === 0 ? (
        <EmptyGallery />
      ) : (
        <>
          {suggestion === undefined ? (
            <p>{t('home.nothingFound')}</p>
          ) : (
            <p>
              {rich('home.didYouMean', {
                search: <bdi>{filters.get('search')?.text}</bdi>,
                suggestion: (
                  <NameLink href={urlWithParameters('/', query, { search: suggestion })} name={suggestion} />
                ),
              })}
            </p>
          )}
          <ul>
            {filters.has('search') && <li>{t('home.fewerWords')}</li>}
            <li>{rich('home.browseTags', { link: (text) => <a href="/tags/">{text}</a> })}</li>
            <li>{rich('home.seeAll', { link: (text) => <a href="/">{text}</a> })}</li>
          </ul>
        </>
      )}
    </div>
  );
}

export const homeRoutes = [page('/', anyone, showHomePage)];
