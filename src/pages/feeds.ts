// /feed.atom and /feed.json of the gallery, with the filters of any list, and of each contributor.

import { displayName } from '../gallery/contributors/contributor.ts';
import { findContributor } from '../gallery/contributors/find.ts';
import { formatInstant } from '../gallery/instant.ts';
import { contributorPath, projectPath } from '../gallery/paths.ts';
import type { ProjectReference } from '../gallery/projects/find.ts';
import type { Project } from '../gallery/projects/project.ts';
import { anonymous } from '../gallery/viewer.ts';
import { toJson } from '../json.ts';
import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import { parseContributorId } from './contributor.tsx';
import { getListTitle } from './home.tsx';
import { removeBidiControls } from './layout.tsx';
import { excludeComments, parseListQuery } from './listing.ts';
import { excerpt, toHtml } from './markdown.ts';
import type { PageContext, PageDependencies } from './page-context.ts';
import { redirectPermanently } from './redirects.ts';
import { escapeXml, xmlDeclaration } from './xml.ts';

const maxEntries = 30;
/** Longer texts are cut short. */
const maxTextLength = 10_000;

interface Feed {
  readonly title: string;
  /** The HTML page with the same list. */
  readonly homeUrl: string;
  readonly feedUrl: string;
  readonly origin: string;
  readonly timeZone: string;
  readonly projects: readonly Project[];
  readonly sources: ReadonlyMap<number, ProjectReference>;
}

type FeedWriter = (feed: Feed) => PreparedResponse;

const createListFeed =
  (name: string, write: FeedWriter) =>
  async ({ projects, timeZone }: PageDependencies, { url, origin }: PageContext) => {
    const listQuery = parseListQuery(projects, anonymous, url.query);
    const items = await listQuery.listing.page(0, maxEntries);
    const search = listQuery.query.size ? `?${listQuery.query}` : '';
    const sources = await projects.loadReferences(anonymous, getSourceIds(items));
    const [homeUrl, feedUrl] = [`${origin}/${search}`, `${origin}/${name}${search}`];
    return write({
      title: getListTitle(listQuery).title,
      homeUrl,
      feedUrl,
      origin,
      timeZone,
      projects: items,
      sources,
    });
  };

const createContributorFeed =
  (name: string, write: FeedWriter) =>
  async ({ database, projects, timeZone }: PageDependencies, { params, url, origin }: PageContext) => {
    const contributor = await findContributor(database, parseContributorId(params.name));
    const path = contributorPath(contributor.id, contributor.username);
    if (url.path !== `${path}${name}`) return redirectPermanently(`${origin}${path}${name}`, url);
    const filters = excludeComments(projects, projects.applyFilter('contributor', String(contributor.id)));
    const listing = projects.list(anonymous, filters);
    const items = await listing.page(0, maxEntries);
    const sources = await projects.loadReferences(anonymous, getSourceIds(items));
    const [homeUrl, feedUrl] = [`${origin}${path}`, `${origin}${path}${name}`];
    return write({
      title: `By ${displayName(contributor)}`,
      homeUrl,
      feedUrl,
      origin,
      timeZone,
      projects: items,
      sources,
    });
  };

export const showAtomFeed = createListFeed('feed.atom', writeAtom);
export const showJsonFeed = createListFeed('feed.json', writeJson);
export const showContributorAtomFeed = createContributorFeed('feed.atom', writeAtom);
export const showContributorJsonFeed = createContributorFeed('feed.json', writeJson);

const getSourceIds = (projects: readonly Project[]) =>
  projects.flatMap(({ copied_from }) => (copied_from === null ? [] : copied_from));

function writeAtom({ title, homeUrl, feedUrl, origin, timeZone, projects, sources }: Feed): PreparedResponse {
  const updated = Math.max(0, ...projects.map(({ modified }) => modified));
  const entries = projects.map((project) => {
    const source = sources.get(project.copied_from ?? 0);
    return [
      '<entry>',
      `<id>${escapeXml(permanentUrl(origin, project))}</id>`,
      `<title>${escapeXml(removeBidiControls(project.title))}</title>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(origin + projectPath(project))}"/>`,
      ...(project.link ? [`<link rel="related" href="${escapeXml(project.link)}"/>`] : []),
      ...(source ? [`<link rel="via" href="${escapeXml(origin + projectPath(source))}"/>`] : []),
      `<published>${formatInstant(project.created, timeZone)}</published>`,
      `<updated>${formatInstant(project.modified, timeZone)}</updated>`,
      `<author><name>${escapeXml(displayName(project))}</name><uri>${escapeXml(authorUrl(origin, project))}</uri></author>`,
      ...splitTags(project).map((tag) => `<category term="${escapeXml(tag)}"/>`),
      `<content type="html">${escapeXml(renderContent(project))}</content>`,
      '</entry>',
    ].join('');
  });
  const body = [
    `${xmlDeclaration}<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<id>${escapeXml(feedUrl)}</id>`,
    `<title>${escapeXml(removeBidiControls(title))} – Vitrine</title>`,
    `<updated>${formatInstant(updated, timeZone)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feedUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(homeUrl)}"/>`,
    ...entries,
    '</feed>\n',
  ];
  return prepareResponse(200, { 'Content-Type': 'application/atom+xml; charset=utf-8' }, body.join('\n'));
}

function writeJson({ title, homeUrl, feedUrl, origin, timeZone, projects, sources }: Feed): PreparedResponse {
  const items = projects.map((project) => {
    const source = sources.get(project.copied_from ?? 0);
    return {
      id: permanentUrl(origin, project),
      url: origin + projectPath(project),
      ...(project.link && { external_url: project.link }),
      title: removeBidiControls(project.title),
      content_html: renderContent(project),
      summary: excerpt(project.text, project.title),
      date_published: formatInstant(project.created, timeZone),
      date_modified: formatInstant(project.modified, timeZone),
      authors: [{ name: displayName(project), url: authorUrl(origin, project) }],
      tags: splitTags(project),
      // An extension, as JSON Feed allows: the project that this one was copied from.
      ...(source && { _source: { url: origin + projectPath(source), author: displayName(source) } }),
    };
  });
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${removeBidiControls(title)} – Vitrine`,
    home_page_url: homeUrl,
    feed_url: feedUrl,
    items,
  };
  return prepareResponse(200, { 'Content-Type': 'application/feed+json; charset=utf-8' }, toJson(feed));
}

/** The URL without the slug, which changes with the title. */
const permanentUrl = (origin: string, { uuid }: Project) => `${origin}/content/${uuid}/`;

const authorUrl = (origin: string, { contributor, username }: Project) =>
  `${origin}${contributorPath(contributor, username)}`;

const splitTags = ({ tags }: Project) => (tags ? tags.split(', ') : []);

function renderContent({ text, title }: Project): string {
  return toHtml(text.length > maxTextLength ? excerpt(text, title, 1000) : text, title);
}
