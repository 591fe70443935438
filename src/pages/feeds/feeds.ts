// /feed.atom and /feed.json of the gallery, with the filters of any list, and of each contributor.

import { toJson } from '../../common/json.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { findContributorAt } from '../../gallery/contributors/find.ts';
import { formatInstant } from '../../gallery/instant.ts';
import { contributorPath, parseContributorPath, projectPath } from '../../gallery/paths.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { ProjectList, ProjectReference } from '../../gallery/projects/reading/find.ts';
import { parseTags } from '../../gallery/projects/tags.ts';
import { anonymous } from '../../gallery/viewer.ts';
import { type PreparedResponse, prepareResponse } from '../../rest/prepared-response.ts';
import { getListTitle } from '../home/home.tsx';
import { excludeComments, parseListQuery } from '../home/listing.ts';
import { removeBidiControls } from '../layout/layout.tsx';
import { anyone, type PageContext, type PageHandler, page, redirectPermanently } from '../page.ts';
import { findPreviewImage } from '../project/metadata.tsx';
import { excerpt, type MarkdownText } from '../text/markdown.ts';
import { toTextPictures } from '../text/pictures.ts';
import { renderMarkdown } from '../text/rendering.ts';
import { escapeXml, permanentId, xmlDeclaration } from './xml.ts';

const maxEntries = 30;
/** Longer texts are cut short. */
const maxTextLength = 10_000;

interface Feed {
  /** With the name of the site. */
  readonly title: string;
  /** The HTML page with the same list. */
  readonly homeUrl: string;
  readonly feedUrl: string;
  readonly origin: string;
  readonly timeZone: string;
  readonly hostname: string;
  readonly projects: readonly Project[];
  /** The HTML of each project, in the same order. */
  readonly html: readonly string[];
  /** The first picture of each project that has one, in the same order. */
  readonly images: readonly ReturnType<typeof findPreviewImage>[];
  readonly sources: ReadonlyMap<number, ProjectReference>;
  readonly headers: Readonly<Record<string, string>>;
}

type FeedWriter = (feed: Feed) => PreparedResponse;

/** A list, with the path and the query of the HTML page that shows it. */
interface FeedSource {
  readonly title: string;
  readonly listing: ProjectList;
  readonly path: string;
  readonly search: string;
}

/** A feed has the newest projects of a list that anonymous visitors see. */
async function loadFeed(
  { projects: finder, timeZone, origin, layout, request }: PageContext,
  name: string,
  { title, listing, path, search }: FeedSource,
): Promise<Feed> {
  const projects = await listing.page(0, maxEntries);
  const sourceIds = projects.flatMap(({ copied_from }) => copied_from ?? []);
  const withPictures = projects.filter(({ text }) => text.includes('![')).map(({ id }) => id);
  const [sources, media, covers] = await Promise.all([
    finder.loadReferences(anonymous, sourceIds),
    finder.loadMedia(withPictures),
    finder.loadCovers(projects.map(({ id }) => id)),
  ]);
  const texts = await renderMarkdown(
    projects.map((project) => ({
      ...shorten(project),
      pictures: toTextPictures(media.get(project.id) ?? [], origin),
    })),
  );
  const images = projects.map(({ id }) => {
    const cover = covers.get(id);
    return cover && findPreviewImage([cover], origin);
  });
  const html = texts.map((text, index) => addImage(text, images[index]));
  const [homeUrl, feedUrl] = [`${origin}${path}${search}`, `${origin}${path}${name}${search}`];
  const fullTitle = removeBidiControls(`${title} – ${layout.site.name}`);
  // The title is in the reader's language, and everything else is the same for all.
  const headers = { Vary: 'Cookie, Accept-Language', 'Content-Language': layout.language.code };
  const { hostname } = request;
  return {
    title: fullTitle,
    homeUrl,
    feedUrl,
    origin,
    hostname,
    timeZone,
    projects,
    html,
    images,
    sources,
    headers,
  };
}

const createListFeed =
  (name: string, write: FeedWriter): PageHandler =>
  async (context) => {
    const listQuery = parseListQuery(context.projects, anonymous, context.url.query);
    const { listing, query } = listQuery;
    const { title } = getListTitle(listQuery, context.layout);
    const search = query.size ? `?${query}` : '';
    return write(await loadFeed(context, name, { title, listing, path: '/', search }));
  };

const createContributorFeed =
  (name: string, write: FeedWriter): PageHandler =>
  async (context) => {
    const { database, projects, t } = context;
    const address = parseContributorPath(context.params.name);
    const contributor = await findContributorAt(database, anonymous, address);
    const path = contributorPath(contributor.id, contributor.username);
    if (context.url.path !== `${path}${name}`) return redirectPermanently(context, `${path}${name}`);
    const filters = excludeComments(projects, projects.parseFilter('contributor', String(contributor.id)));
    const listing = projects.list(anonymous, filters);
    const title = t('contributor.by', { name: displayName(contributor) });
    return write(await loadFeed(context, name, { title, listing, path, search: '' }));
  };

const showAtomFeed = createListFeed('feed.atom', writeAtom);
const showJsonFeed = createListFeed('feed.json', writeJson);
const showContributorAtomFeed = createContributorFeed('feed.atom', writeAtom);
const showContributorJsonFeed = createContributorFeed('feed.json', writeJson);

function writeAtom({
  title,
  homeUrl,
  feedUrl,
  origin,
  hostname,
  timeZone,
  projects,
  html,
  images,
  sources,
  headers,
}: Feed): PreparedResponse {
  const updated = Math.max(0, ...projects.map(({ modified }) => modified));
  const entries = projects.map((project, index) => {
    const source = sources.get(project.copied_from ?? 0);
    const image = images[index];
    return [
      '<entry>',
      `<id>${entryId(project)}</id>`,
      `<title>${escapeXml(removeBidiControls(project.title))}</title>`,
      `<link rel="alternate" type="text/html" href="${escapeXml(origin + projectPath(project))}"/>`,
      ...(project.link ? [`<link rel="related" href="${escapeXml(project.link)}"/>`] : []),
      ...(source ? [`<link rel="via" href="${escapeXml(origin + projectPath(source))}"/>`] : []),
      ...(image
        ? [`<link rel="enclosure" type="image/webp" length="${image.bytes}" href="${escapeXml(image.url)}"/>`]
        : []),
      `<published>${formatInstant(project.created, timeZone)}</published>`,
      `<updated>${formatInstant(project.modified, timeZone)}</updated>`,
      `<author><name>${escapeXml(displayName(project))}</name><uri>${escapeXml(authorUrl(origin, project))}</uri></author>`,
      ...parseTags(project).map((tag) => `<category term="${escapeXml(tag)}"/>`),
      `<content type="html">${escapeXml(html[index] ?? '')}</content>`,
      '</entry>',
    ].join('');
  });
  const body = [
    `${xmlDeclaration}<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<id>${escapeXml(feedUrl.replace(origin, `https://${hostname}`))}</id>`,
    `<title>${escapeXml(title)}</title>`,
    `<updated>${formatInstant(updated, timeZone)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escapeXml(feedUrl)}"/>`,
    `<link rel="alternate" type="text/html" href="${escapeXml(homeUrl)}"/>`,
    ...entries,
    '</feed>\n',
  ];
  return prepareResponse(
    200,
    { 'Content-Type': 'application/atom+xml; charset=utf-8', ...headers },
    body.join('\n'),
  );
}

function writeJson({
  title,
  homeUrl,
  feedUrl,
  origin,
  timeZone,
  projects,
  html,
  images,
  sources,
  headers,
}: Feed): PreparedResponse {
  const items = projects.map((project, index) => {
    const source = sources.get(project.copied_from ?? 0);
    return {
      id: entryId(project),
      url: origin + projectPath(project),
      ...(project.link && { external_url: project.link }),
      title: removeBidiControls(project.title),
      content_html: html[index] ?? '',
      image: images[index]?.url,
      summary: excerpt(project.text, project.title),
      date_published: formatInstant(project.created, timeZone),
      date_modified: formatInstant(project.modified, timeZone),
      authors: [{ name: displayName(project), url: authorUrl(origin, project) }],
      tags: parseTags(project),
      // An extension, as JSON Feed allows: the project that this one was copied from.
      ...(source && { _source: { url: origin + projectPath(source), author: displayName(source) } }),
    };
  });
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: homeUrl,
    feed_url: feedUrl,
    items,
  };
  return prepareResponse(
    200,
    { 'Content-Type': 'application/feed+json; charset=utf-8', ...headers },
    toJson(feed),
  );
}

const entryId = ({ uuid, created }: Project) => permanentId('project', uuid, created);

/** Puts the image before the text, unless the text shows it. */
function addImage(html: string, image: ReturnType<typeof findPreviewImage>): string {
  if (!image || html.includes(image.hash)) return html;
  return `<p><img src="${image.url}" alt="${escapeXml(image.alt)}" width="${image.width}" height="${image.height}"></p>\n${html}`;
}

const authorUrl = (origin: string, { contributor, username }: Project) =>
  `${origin}${contributorPath(contributor, username)}`;

function shorten({ text, title }: Project): MarkdownText {
  return { title, text: text.length > maxTextLength ? excerpt(text, title, 1000) : text };
}

export const feedRoutes = [
  { ...page('/feed.atom/', anyone, showAtomFeed), isOpen: true },
  { ...page('/feed.json/', anyone, showJsonFeed), isOpen: true },
  { ...page('/contributors/:name/feed.atom/', anyone, showContributorAtomFeed), isOpen: true },
  { ...page('/contributors/:name/feed.json/', anyone, showContributorJsonFeed), isOpen: true },
];
