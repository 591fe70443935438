// /contributors/<id>-<username>/: a contributor and their projects.

import { isLookedAfter } from '../../gallery/class-people.ts';
import { contentTypes } from '../../gallery/content-types.ts';
import { displayName, type VisibleContributor } from '../../gallery/contributors/contributor.ts';
import { findContributorAt } from '../../gallery/contributors/find.ts';
import { contributorPath, parseContributorPath } from '../../gallery/paths.ts';
import { loadProfile } from '../../gallery/profiles/profile.ts';
import type { ContentTypeCount, ProjectFinder } from '../../gallery/projects/reading/find.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { prepareResponse } from '../../rest/prepared-response.ts';
import { urlWithParameters } from '../../rest/request-url.ts';
import { adminStylesheet, listNeighboursScript } from '../assets.ts';
import { loadFollowButton } from '../follows/follow-button.tsx';
import { Cards, loadCardData } from '../home/cards.tsx';
import { excludeComments, formatPageTitle, loadListPage } from '../home/listing.ts';
import { NewProjects } from '../home/new-items.tsx';
import { feedAlternates, jsonAlternate } from '../layout/alternates.ts';
import { contributionsPath, DateText, Fact, ModeratorBadge, Pager } from '../layout/components.tsx';
import { Page } from '../layout/layout.tsx';
import { useLanguage, useLayout } from '../layout/layout-data.ts';
import { ModeratorLinks } from '../moderation/moderator-links.tsx';
import { anyone, type PageContext, page, redirectPermanently } from '../page.ts';
import { contributorPreview } from '../previews/images.ts';
import { OpenGraph, previewSize } from '../previews/open-graph.tsx';
import { Avatar } from './avatar.tsx';
import { PinnedProjects, ProfileWords } from './profile.tsx';

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
  const [projectPage, typeCounts, profile, followButton, isOwnerLookedAfter] = await Promise.all([
    loadListPage(projects.list(viewer, filters), url.query),
    projects.countByContentType(viewer, id),
    loadProfile(database, id),
    loadFollowButton(context, { followed: { contributor: id }, name: displayName(contributor), next: path }),
    isLookedAfter(database, id),
  ]);
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
      // Search engines show nobody who has published nothing, and no child of a class.
      isIndexed={typeCounts.length > 0 && !isOwnerLookedAfter}
      head={<ContributorGraph contributor={contributor} url={origin + path} />}
      alternates={[
        jsonAlternate(`/api/v1/contributors/${id}/?format=json`),
        ...feedAlternates(path, '', t('contributor.by', { name })),
      ]}
    >
      <ModeratorLinks contributor={contributor} />
      <header class="narrow">
        <h1>
          <Avatar person={{ contributor: id, name, avatar: contributor.avatar }} /> <bdi>{name}</bdi>
          <ModeratorBadge contributor={id} />
        </h1>
        <p class="byline">
          <bdi>{contributor.username}</bdi> · {hiddenName && <bdi>{hiddenName} · </bdi>}
          {rich('contributor.joined', { date: <DateText instant={contributor.created} /> })}
        </p>
        <ProfileWords profile={profile} />
        <Totals contributor={contributor} typeCounts={typeCounts} />
        {followButton}
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
        <Cards data={await loadCardData(projects, viewer, projectPage.items)} hidesContributor />
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

function ContributorGraph({ contributor, url }: { contributor: VisibleContributor; url: string }) {
  const { site } = useLayout();
  const name = displayName(contributor);
  const { origin } = new URL(url);
  const image = { url: origin + contributorPreview(contributor, site).path, alt: name, ...previewSize };
  return <OpenGraph type="profile" title={name} url={url} image={image} />;
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
