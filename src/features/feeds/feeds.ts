// /feed.atom and /feed.json of the gallery, with the filters of any list, and of each contributor.

import { toJson } from '#common/json.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import { isLookedAfter, noIndexHeaders } from '../../core/accounts/looked-after.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { findContributorAt } from '../../core/contributors/find-contributors.ts';
import { escapeXml, formatAtomFeed, permanentId } from '../../core/escape-xml.ts';
import { formatInstant } from '../../core/instant.ts';
import { aboutLicense } from '../../core/licenses.ts';
import { excerpt, type MarkdownText } from '../../core/markdown/markdown.ts';
import { renderMarkdown } from '../../core/markdown/rendering.ts';
import { removeBidiControls } from '../../core/pages/layout/layout.tsx';
import { anyone, type PageContext, page, redirectPermanently } from '../../core/pages/page.ts';
import { contributorPath, parseContributorPath, projectPath } from '../../core/paths.ts';
import { anonymous } from '../../core/viewer/viewer.ts';
import { getListTitle } from '../../projects/pages/list/home.tsx';
import {
  excludeComments,
  findListedCollection,
  parseListQuery,
} from '../../projects/pages/list/list-query.ts';
import { loadCoverContents, pictureOf } from '../../projects/pages/list/posters.tsx';
import { findPreviewImage } from '../../projects/pages/project/metadata.tsx';
import { toTextPictures } from '../../projects/pages/text-pictures.ts';
import type { Project } from '../../projects/project.ts';
import type { ProjectList } from '../../projects/reading/find-projects.ts';
import { parseTags } from '../../projects/tags.ts';

const feedNames = ['feed.atom', 'feed.json'] as const;
type FeedName = (typeof feedNames)[number];

const maxEntries = 30;
/** Longer texts are cut short. */
const maxTextLength = 10_000;

/** A list, with the path and the query of the HTML page that shows it. */
interface FeedSource {
  readonly title: string;
  readonly listing: ProjectList;
  readonly path: string;
  readonly search: string;
}

type Feed = Awaited<ReturnType<typeof loadFeed>>;

/** A feed has the newest projects of a list that anonymous visitors see. */
async function loadFeed(
  { projects: finder, timeZone, origin, layout, request }: PageContext,
  name: FeedName,
  { title, listing, path, search }: FeedSource,
) {
  const projects = await listing.page(0, maxEntries);
  const sourceIds = projects.flatMap(({ copied_from }) => copied_from ?? []);
  const withPictures = projects.filter(({ text }) => text.includes('![')).map(({ id }) => id);
  const [sources, media, covers] = await Promise.all([
    finder.loadReferences(anonymous, sourceIds),
    finder.loadMedia(withPictures),
    loadCoverContents(finder, anonymous, projects),
  ]);
  const texts = await renderMarkdown(
    projects.map((project) => ({
      ...shorten(project),
      pictures: toTextPictures(media.get(project.id) ?? [], origin),
    })),
  );
  const entries = projects.map((project, index) => {
    const cover = pictureOf(covers.get(project.id));
    const image = cover && findPreviewImage([cover], origin);
    const source = sources.get(project.copied_from ?? 0);
    return {
      project,
      id: permanentId('project', project.uuid, project.created),
      url: origin + projectPath(project),
      title: removeBidiControls(project.title),
      html: addImage(texts[index] ?? '', image),
      image,
      source: source && { url: origin + projectPath(source), author: displayName(source) },
      created: formatInstant(project.created, timeZone),
      modified: formatInstant(project.modified, timeZone),
      author: {
        name: displayName(project),
        url: origin + contributorPath(project.contributor, project.username),
      },
      tags: parseTags(project),
    };
  });
  return {
    title: removeBidiControls(`${title} – ${layout.site.name}`),
    homeUrl: `${origin}${path}${search}`,
    feedUrl: `${origin}${path}${name}${search}`,
    id: `https://${request.hostname}${path}${name}${search}`,
    updated: formatInstant(Math.max(0, ...projects.map(({ modified }) => modified)), timeZone),
    entries,
  };
}

async function sendFeed(
  context: PageContext,
  name: FeedName,
  source: FeedSource,
  moreHeaders: Readonly<Record<string, string>> = {},
) {
  const { type, write } = formats[name];
  const headers = {
    'Content-Type': `${type}; charset=utf-8`,
    // The title is in the reader's language, and everything else is the same for all.
    Vary: 'Cookie, Accept-Language',
    'Content-Language': context.layout.language.code,
    ...moreHeaders,
  };
  return prepareResponse(200, headers, write(await loadFeed(context, name, source)));
}

const showListFeed = (name: FeedName) => async (context: PageContext) => {
  const listQuery = parseListQuery(context.projects, anonymous, context.url.query);
  const { listing, query } = listQuery;
  const collection = await findListedCollection(context.projects, anonymous, listQuery);
  const { title } = getListTitle(listQuery, context.layout, collection);
  return sendFeed(context, name, { title, listing, path: '/', search: query.size ? `?${query}` : '' });
};

const showContributorFeed = (name: FeedName) => async (context: PageContext) => {
  const { database, projects, t } = context;
  const address = parseContributorPath(context.params.name);
  const contributor = await findContributorAt(database, anonymous, address);
  const path = contributorPath(contributor.id, contributor.username);
  if (context.url.path !== `${path}${name}`) return redirectPermanently(context, `${path}${name}`);
  const filters = excludeComments(projects, projects.parseFilter('contributor', String(contributor.id)));
  const listing = projects.list(anonymous, filters);
  const title = t('contributor.by', { name: displayName(contributor) });
  const headers = (await isLookedAfter(database, contributor.id)) ? noIndexHeaders : {};
  return sendFeed(context, name, { title, listing, path, search: '' }, headers);
};

const writeAtom = ({ entries, ...feed }: Feed) =>
  formatAtomFeed({
    ...feed,
    entries: entries.map(
      ({ project, id, url, title, html, image, source, created, modified, author, tags }) => [
        `<id>${id}</id>`,
        `<title>${escapeXml(title)}</title>`,
        `<link rel="alternate" type="text/html" href="${escapeXml(url)}"/>`,
        project.link && `<link rel="related" href="${escapeXml(project.link)}"/>`,
        source && `<link rel="via" href="${escapeXml(source.url)}"/>`,
        image &&
          `<link rel="enclosure" type="image/webp" length="${image.bytes}" href="${escapeXml(image.url)}"/>`,
        `<published>${created}</published>`,
        `<updated>${modified}</updated>`,
        `<author><name>${escapeXml(author.name)}</name><uri>${escapeXml(author.url)}</uri></author>`,
        ...tags.map((tag) => `<category term="${escapeXml(tag)}"/>`),
        project.license && `<link rel="license" href="${aboutLicense(project.license).url}"/>`,
        project.license && `<rights>${aboutLicense(project.license).name}</rights>`,
        `<content type="html">${escapeXml(html)}</content>`,
      ],
    ),
  });

const writeJson = ({ title, homeUrl, feedUrl, entries }: Feed) =>
  toJson({
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: homeUrl,
    feed_url: feedUrl,
    items: entries.map(
      ({ project, id, url, title, html, image, source, created, modified, author, tags }) => ({
        id,
        url,
        ...(project.link && { external_url: project.link }),
        title,
        content_html: html,
        image: image?.url,
        summary: excerpt(project.text, project.title),
        date_published: created,
        date_modified: modified,
        authors: [author],
        tags,
        // Extensions, as JSON Feed allows: the project that this one was copied from, and its licence.
        ...(source && { _source: source }),
        ...(project.license && { _license: aboutLicense(project.license) }),
      }),
    ),
  });

const formats = {
  'feed.atom': { type: 'application/atom+xml', write: writeAtom },
  'feed.json': { type: 'application/feed+json', write: writeJson },
};
/** Puts the image before the text, unless the text shows it. */
function addImage(html: string, image: ReturnType<typeof findPreviewImage>): string {
  if (!image || html.includes(image.hash)) return html;
  return `<p><img src="${image.url}" alt="${escapeXml(image.alt)}" width="${image.width}" height="${image.height}"></p>\n${html}`;
}

function shorten({ text, title }: Project): MarkdownText {
  return { title, text: text.length > maxTextLength ? excerpt(text, title, 1000) : text };
}

export const feedRoutes = feedNames.flatMap((name) => [
  { ...page(`/${name}/`, anyone, showListFeed(name)), isOpen: true },
  { ...page(`/contributors/:name/${name}/`, anyone, showContributorFeed(name)), isOpen: true },
]);
