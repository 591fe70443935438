// /contributors/<id>-<username>/: a contributor and their projects.

import { displayName, type VisibleContributor } from '../gallery/contributors/contributor.ts';
import { findContributorAt } from '../gallery/contributors/find.ts';
import { requireId } from '../gallery/ids.ts';
import { contributorPath } from '../gallery/paths.ts';
import type { ContentTypeCount } from '../gallery/projects/find.ts';
import { maxFigure } from '../gallery/projects/karma.ts';
import { contentTypes } from '../gallery/projects/project.ts';
import { createPageUrl } from '../rest/pagination.ts';
import { prepareResponse } from '../rest/prepared-response.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { urlWithParameters } from '../rest/request-url.ts';
import { feedAlternates, jsonAlternate } from './alternates.ts';
import { Avatar } from './avatar.tsx';
import { Cards, loadCardData } from './cards.tsx';
import { DateText } from './dates.tsx';
import { renderPage } from './layout.tsx';
import { ModeratorBadge } from './links.tsx';
import { excludeComments, formatPageTitle, loadListPage } from './listing.ts';
import type { PageContext, PageDependencies } from './page-context.ts';
import { redirectPermanently } from './redirects.ts';
import { typeNames } from './type-names.ts';

export async function showContributorPage({ database, projects }: PageDependencies, context: PageContext) {
  const { params, url, origin, viewer, layout } = context;
  const contributor = await findContributorAt(database, viewer, parseContributorPath(params.name));
  const { id } = contributor;
  const path = contributorPath(contributor.id, contributor.username);
  if (url.path !== path) return redirectPermanently(context, path);
  // The `url` of a contributor in the API leads here with `?format=`: only JSON is answered by the API.
  if (url.query.get('format') === 'json')
    return prepareResponse(302, { Location: `${origin}/api/v1/contributors/${id}/?format=json` });
  const type = url.query.get('content_type') ?? '';
  const filters = new Map([
    ...projects.parseFilter('contributor', String(id)),
    ...(type ? projects.parseFilter('content_type', type) : []),
  ]);
  const [projectPage, typeCounts] = await Promise.all([
    loadListPage(projects.list(viewer, excludeComments(projects, filters)), url.query),
    projects.countByContentType(viewer, id),
  ]);
  const query = new URLSearchParams(type && { content_type: type });
  const typeName = contentTypes.find((name) => name === type);
  const name = displayName(contributor);
  const hiddenName = hiddenNameOf(contributor);
  const pageUrl = createPageUrl(path, query);
  return renderPage(layout, {
    title: formatPageTitle(name, projectPage.number),
    description: `Projects by ${name}.`,
    canonical: `${origin}${pageUrl(projectPage.number)}`,
    // Search engines show nobody who has published nothing.
    isIndexed: typeCounts.length > 0,
    alternates: [
      jsonAlternate(`/api/v1/contributors/${id}/?format=json`),
      ...feedAlternates(path, '', `By ${name}`),
    ],
    children: (
      <>
        <header class="narrow">
          <h1>
            <Avatar person={{ contributor: id, name }} /> <bdi>{name}</bdi>
            <ModeratorBadge contributor={id} />
          </h1>
          <p class="byline">
            <bdi>{contributor.username}</bdi> · {hiddenName && <bdi>{hiddenName} · </bdi>}joined{' '}
            <DateText instant={contributor.created} />
          </p>
          <Totals typeCounts={typeCounts} />
          {id !== viewer.contributor && (
            <p class="links">
              <a href={`${path}report/`} rel="nofollow">
                Report this name
              </a>
            </p>
          )}
        </header>
        <TypeFilter path={path} type={type} typeCounts={typeCounts} />
        {projectPage.count === 0 ? (
          <p class="empty">
            <bdi>{name}</bdi> hasn’t shared any{' '}
            {typeName ? typeNames[typeName].many.toLowerCase() : 'projects'} yet.
          </p>
        ) : (
          <Cards data={await loadCardData(projects, viewer, projectPage.items)} hidesContributor />
        )}
        <Pager {...projectPage} urlOf={pageUrl} />
      </>
    ),
  });
}

/** Only moderators get it. */
function hiddenNameOf({ shown_name, full_first_name = '', full_last_name = '' }: VisibleContributor): string {
  return shown_name === 'username' ? `${full_first_name} ${full_last_name}`.trim() : '';
}

/** The part of a path that names a contributor, such as `7-ada`. */
export function parseContributorPath(name = ''): { id: number; username: string } {
  const [id = ''] = name.split('-', 1);
  return { id: requireId(id), username: name.slice(id.length + 1) };
}

function Totals({ typeCounts }: { typeCounts: readonly ContentTypeCount[] }) {
  const sum = (getNumber: (typeCount: ContentTypeCount) => number) =>
    typeCounts.reduce((total, typeCount) => total + getNumber(typeCount), 0);
  const countProjects = ({ content_type, count }: ContentTypeCount) =>
    content_type === 'comment' ? 0 : count;
  return (
    <dl class="facts">
      <div>
        <dt>Projects</dt>
        <dd>{sum(countProjects).toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Karma</dt>
        <dd>
          {Math.min(
            maxFigure,
            sum(({ karma }) => karma),
          ).toLocaleString('en')}
        </dd>
      </div>
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
  const countByType = new Map<string, number>(
    typeCounts.map(({ content_type, count }) => [content_type, count]),
  );
  if (countByType.size < 2 && type === '') return null;
  return (
    <nav class="list-filters" aria-label="Types">
      <ul class="types">
        {(['', ...contentTypes.filter((name) => countByType.has(name) || name === type)] as const).map(
          (name) => (
            <li>
              <a
                href={urlWithParameters(path, new URLSearchParams(), { content_type: name })}
                aria-current={name === type ? 'true' : undefined}
              >
                {name === '' ? 'Everything' : typeNames[name].many}
              </a>
              {name && <span class="faint"> {(countByType.get(name) ?? 0).toLocaleString('en')}</span>}
            </li>
          ),
        )}
      </ul>
    </nav>
  );
}
