// /contributors/<id>-<username>/: a contributor and their projects.

import { createPageUrl } from '#rest/pagination.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import { contentTypes } from '../../core/content-types.ts';
import { displayName, type VisibleContributor } from '../../core/contributors/contributor.ts';
import { findContributorAt } from '../../core/contributors/find-contributors.ts';
import { adminStylesheet } from '../../core/pages/assets.ts';
import { jsonAlternate } from '../../core/pages/layout/alternates.ts';
import { Avatar } from '../../core/pages/layout/avatar.tsx';
import { DateText, Fact, ModeratorBadge, Pager } from '../../core/pages/layout/components.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { type Alternate, useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { anyone, loadSections, type PageContext, page, redirectPermanently } from '../../core/pages/page.ts';
import { ProfileWords } from '../../core/pages/profile-words.tsx';
import { contributorPath, parseContributorPath } from '../../core/paths.ts';
import { loadCardData } from '../../projects/pages/list/cards.tsx';
import { loadCards } from '../../projects/pages/list/kept-cards.tsx';
import { excludeComments, formatPageTitle, loadListPage } from '../../projects/pages/list/list-query.ts';
import { NewProjects } from '../../projects/pages/new-items.tsx';
import { listNeighboursScript } from '../../projects/pages/project-assets.ts';
import { loadProfile } from '../../projects/people/profile.ts';
import type { ContentTypeCount, ProjectFinder } from '../../projects/reading/find-projects.ts';
import { briefColumns } from '../../projects/reading/listing.ts';
import { contributionsPath } from '../moderation/contributions.ts';
import { ModeratorLinks } from '../moderation/moderator-links.tsx';
import { PinnedProjects } from './pinned-projects.tsx';

declare module '../../core/pages/page.ts' {
  interface Places {
    /** Buttons below the totals. */
    'contributor.actions': Section<VisibleContributor>;
    'contributor.head': Section<VisibleContributor>;
    'contributor.alternates': Section<VisibleContributor, readonly Alternate[]>;
  }
}

async function showContributorPage(context: PageContext) {
  const { database, projects, params, url, origin, viewer, layout, t, rich } = context;
  const contributor = await findContributorAt(database, viewer, parseContributorPath(params.name));
  const { id } = contributor;
  const path = contributorPath(contributor.id, contributor.username);
  if (url.path !== path) return redirectPermanently(context, path);
  // The `url` of a contributor in the API leads here with `?format=`: only JSON is answered by the API.
  if (url.query.get('format') === 'json')
    return prepareResponse(302, { Location: `${origin}/api/v1/contributors/${id}/?format=json` });
  const type = url.query.get('content_type') ?? '';
  const filters = filtersFor(projects, id, type);
  const listing = projects.list(viewer, filters);
  const [projectPage, typeCounts, profile, actions, head, alternates, isOwnerLookedAfter] = await Promise.all(
    [
      loadListPage(listing.select(briefColumns), url.query),
      projects.countByContentType(viewer, id),
      loadProfile(database, id),
      loadSections(context, 'contributor.actions', contributor),
      loadSections(context, 'contributor.head', contributor),
      loadSections(context, 'contributor.alternates', contributor),
      isLookedAfter(database, id),
    ],
  );
  const isFirst = type === '' && projectPage.number === 1;
  const pinned = isFirst ? await projects.loadListed(viewer, id, profile.pinned) : [];
  const pinnedData = await loadCardData(projects, viewer, pinned);
  const typeName = contentTypes.find((name) => name === type);
  const name = displayName(contributor);
  const hiddenName = hiddenNameOf(contributor);
  const pageUrl = createPageUrl(path, new URLSearchParams(type && { content_type: type }));
  return context.render(
    <Page
      title={formatPageTitle(layout.language, name, projectPage.number)}
      description={t('contributor.description', { name })}
      canonical={`${origin}${pageUrl(projectPage.number)}`}
      scripts={[listNeighboursScript]}
      stylesheets={viewer.isModerator ? [adminStylesheet] : []}
      isPublic
      // Search engines show nobody who has published nothing, and nobody whom others look after.
      isIndexed={typeCounts.length > 0 && !isOwnerLookedAfter}
      head={head}
      alternates={[jsonAlternate(`/api/v1/contributors/${id}/?format=json`), ...alternates.flat()]}
    >
      <ModeratorLinks contributor={contributor} />
      <header class="narrow">
        <h1>
          <Avatar person={{ contributor: id, name, avatar: contributor.avatar }} /> <bdi>{name}</bdi>
          <ModeratorBadge contributor={id} />
        </h1>
        <p class="byline">
          {name !== contributor.username && (
            <>
              <bdi>{contributor.username}</bdi> ·{' '}
            </>
          )}
          {hiddenName && <bdi>{hiddenName} · </bdi>}
          {rich('contributor.joined', { date: <DateText instant={contributor.created} /> })}
        </p>
        <ProfileWords profile={profile} />
        <Totals contributor={contributor} typeCounts={typeCounts} />
        {actions}
        {id === viewer.contributor && (
          <p class="links">
            <a href="/account/profile/">{t('profile.title')}</a>
          </p>
        )}
      </header>
      <PinnedProjects data={pinnedData} />
      {pinned.length > 0 && <h2>{t('profile.all')}</h2>}
      <TypeFilter path={path} type={type} typeCounts={typeCounts} />
      {projectPage.number === 1 && (
        <NewProjects filters={filters} projectPage={projectPage} href={pageUrl(1)} />
      )}
      {projectPage.count === 0 ? (
        <p class="empty">
          {typeName
            ? rich('contributor.noneOfType', { name: <bdi>{name}</bdi>, types: t(`type.${typeName}.many`) })
            : rich('contributor.none', { name: <bdi>{name}</bdi> })}
        </p>
      ) : (
        await loadCards(
          context,
          { projects: projectPage.items, load: (ids) => listing.load(ids) },
          { hidesContributor: true },
        )
      )}
      <Pager {...projectPage} urlOf={pageUrl} />
      {id !== viewer.contributor && (
        <p class="links">
          <a href={`${path}report/`} rel="nofollow">
            {t('contributor.report')}
          </a>
        </p>
      )}
    </Page>,
  );
}

const filtersFor = (projects: ProjectFinder, contributor: number, type: string) =>
  excludeComments(
    projects,
    new Map([
      ...projects.parseFilter('contributor', String(contributor)),
      ...(type ? projects.parseFilter('content_type', type) : []),
    ]),
  );

/** Only moderators get it. */
function hiddenNameOf({ shown_name, full_first_name = '', full_last_name = '' }: VisibleContributor): string {
  return shown_name === 'username' ? `${full_first_name} ${full_last_name}`.trim() : '';
}

interface TotalsProps {
  readonly contributor: Pick<VisibleContributor, 'id' | 'username'>;
  readonly typeCounts: readonly ContentTypeCount[];
}

/** The owner and moderators come to lists with private and removed work. */
function Totals({ contributor: { id, username }, typeCounts }: TotalsProps) {
  const { viewer, language } = useLayout();
  const { t, formatNumber } = language;
  const list = viewer.isModerator ? contributionsPath(username, 'projects') : '/mine/';
  const hasList = viewer.isModerator || viewer.contributor === id;
  const sum = (getNumber: (typeCount: ContentTypeCount) => number) =>
    typeCounts.reduce((total, typeCount) => total + getNumber(typeCount), 0);
  const countProjects = ({ content_type, count }: ContentTypeCount) =>
    content_type === 'comment' ? 0 : count;
  const projectCount = formatNumber(sum(countProjects));
  return (
    <dl class="facts">
      <Fact name={t('contributor.projects')}>
        {hasList ? <a href={list}>{projectCount}</a> : projectCount}
      </Fact>
    </dl>
  );
}

function TypeFilter({
  path,
  type,
  typeCounts,
}: {
  path: string;
  type: string;
  typeCounts: readonly ContentTypeCount[];
}) {
  const { t, formatNumber } = useLanguage();
  const countByType = new Map<string, number>(
    typeCounts.map(({ content_type, count }) => [content_type, count]),
  );
  // The list of everything has no collections.
  if (countByType.size < 2 && !countByType.has('collection') && type === '') return null;
  return (
    <nav class="list-filters" aria-label={t('home.types')}>
      <ul class="types">
        {(['', ...contentTypes.filter((name) => countByType.has(name) || name === type)] as const).map(
          (name) => (
            <li>
              <a
                href={urlWithParameters(path, new URLSearchParams(), { content_type: name })}
                aria-current={name === type ? 'true' : undefined}
              >
                {t(name === '' ? 'home.everything' : `type.${name}.many`)}
                {name && <small> {formatNumber(countByType.get(name) ?? 0)}</small>}
              </a>
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}

export const contributorRoutes = [page('/contributors/:name/', anyone, showContributorPage)];
