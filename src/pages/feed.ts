// /feed.atom and /feed.json, with the query of any list, and the same of a contributor: what is new, for readers of
// feeds.

import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { findContributor } from '../gallery/contributors/find.ts';
import { formatInstant } from '../gallery/instant.ts';
import type { Mentioned } from '../gallery/projects/find.ts';
import type { Project } from '../gallery/projects/project.ts';
import { anonymous } from '../gallery/viewer.ts';
import { toJson } from '../json.ts';
import { type Answer, answer } from '../rest/answer.ts';
import { contributorId } from './contributor.tsx';
import { titled } from './home.tsx';
import { withoutTurns } from './layout.tsx';
import { asked, withoutComments } from './listing.ts';
import { excerpt, toHtml } from './markdown.ts';
import { movedTo } from './moved.ts';
import type { PageParts, Served } from './serve.ts';
import { escaped, xmlHead } from './xml.ts';

const size = 30;
/** Longer texts are told by their first words. */
const longest = 10_000;

interface Feed {
  readonly title: string;
  /** The page that says the same. */
  readonly home: string;
  readonly self: string;
  readonly base: string;
  readonly zone: string;
  readonly projects: readonly Project[];
  readonly sources: ReadonlyMap<number, Mentioned>;
}

type Write = (feed: Feed) => Answer;

const listFeed =
  (name: string, write: Write) =>
  async ({ projects, timeZone: zone }: PageParts, { address, base }: Served) => {
    const wish = asked(projects, anonymous, address.query);
    const found = await wish.listing.page(0, size);
    const search = wish.query.size ? `?${wish.query}` : '';
    const sources = await projects.mentioned(anonymous, sourceIds(found));
    const [home, self] = [`${base}/${search}`, `${base}/${name}${search}`];
    return write({ title: titled(wish).title, home, self, base, zone, projects: found, sources });
  };

const contributorFeed =
  (name: string, write: Write) =>
  async ({ database, projects, timeZone: zone }: PageParts, { params, address, base }: Served) => {
    const person = await findContributor(database, contributorId(params.name));
    const path = contributorPath(person.id, person.username);
    if (address.path !== `${path}${name}`) return movedTo(`${base}${path}${name}`, address);
    const choices = withoutComments(projects, projects.choose('contributor', String(person.id)));
    const listing = projects.listing(anonymous, choices);
    const found = await listing.page(0, size);
    const sources = await projects.mentioned(anonymous, sourceIds(found));
    const [home, self] = [`${base}${path}`, `${base}${path}${name}`];
    return write({ title: `By ${displayName(person)}`, home, self, base, zone, projects: found, sources });
  };

export const atomFeed = listFeed('feed.atom', atom);
export const jsonFeed = listFeed('feed.json', json);
export const contributorAtomFeed = contributorFeed('feed.atom', atom);
export const contributorJsonFeed = contributorFeed('feed.json', json);

const sourceIds = (projects: readonly Project[]) =>
  projects.flatMap(({ copied_from }) => (copied_from === null ? [] : copied_from));

function atom({ title, home, self, base, zone, projects, sources }: Feed): Answer {
  const updated = Math.max(0, ...projects.map(({ modified }) => modified));
  const entries = projects.map((project) => {
    const source = sources.get(project.copied_from ?? 0);
    return [
      '<entry>',
      `<id>${escaped(lasting(base, project))}</id>`,
      `<title>${escaped(withoutTurns(project.title))}</title>`,
      `<link rel="alternate" type="text/html" href="${escaped(base + projectPath(project))}"/>`,
      ...(project.link ? [`<link rel="related" href="${escaped(project.link)}"/>`] : []),
      ...(source ? [`<link rel="via" href="${escaped(base + projectPath(source))}"/>`] : []),
      `<published>${formatInstant(project.created, zone)}</published>`,
      `<updated>${formatInstant(project.modified, zone)}</updated>`,
      `<author><name>${escaped(displayName(project))}</name><uri>${escaped(authorUrl(base, project))}</uri></author>`,
      ...tagsOf(project).map((tag) => `<category term="${escaped(tag)}"/>`),
      `<content type="html">${escaped(htmlOf(project))}</content>`,
      '</entry>',
    ].join('');
  });
  const body = [
    `${xmlHead}<feed xmlns="http://www.w3.org/2005/Atom">`,
    `<id>${escaped(self)}</id>`,
    `<title>${escaped(withoutTurns(title))} – Vitrine</title>`,
    `<updated>${formatInstant(updated, zone)}</updated>`,
    `<link rel="self" type="application/atom+xml" href="${escaped(self)}"/>`,
    `<link rel="alternate" type="text/html" href="${escaped(home)}"/>`,
    ...entries,
    '</feed>\n',
  ];
  return answer(200, { 'Content-Type': 'application/atom+xml; charset=utf-8' }, body.join('\n'));
}

function json({ title, home, self, base, zone, projects, sources }: Feed): Answer {
  const items = projects.map((project) => {
    const source = sources.get(project.copied_from ?? 0);
    return {
      id: lasting(base, project),
      url: base + projectPath(project),
      ...(project.link && { external_url: project.link }),
      title: withoutTurns(project.title),
      content_html: htmlOf(project),
      summary: excerpt(project.text, project.title),
      date_published: formatInstant(project.created, zone),
      date_modified: formatInstant(project.modified, zone),
      authors: [{ name: displayName(project), url: authorUrl(base, project) }],
      tags: tagsOf(project),
      // An extension, as JSON Feed lets its writers make: what it was copied from.
      ...(source && { _source: { url: base + projectPath(source), author: displayName(source) } }),
    };
  });
  const feed = {
    version: 'https://jsonfeed.org/version/1.1',
    title: `${withoutTurns(title)} – Vitrine`,
    home_page_url: home,
    feed_url: self,
    items,
  };
  return answer(200, { 'Content-Type': 'application/feed+json; charset=utf-8' }, toJson(feed));
}

/** Without the slug, which changes with the title. */
const lasting = (base: string, { uuid }: Project) => `${base}/content/${uuid}/`;

const authorUrl = (base: string, { contributor, username }: Project) =>
  `${base}${contributorPath(contributor, username)}`;

const tagsOf = ({ tags }: Project) => (tags ? tags.split(', ') : []);

function htmlOf({ text, title }: Project): string {
  return toHtml(text.length > longest ? excerpt(text, title, 1000) : text, title);
}
