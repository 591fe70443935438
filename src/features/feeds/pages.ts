import { displayName } from '../../core/contributors/contributor.ts';
import type { Alternate } from '../../core/pages/layout/layout-data.ts';
import type { Sections } from '../../core/pages/page.ts';
import { contributorPath } from '../../core/paths.ts';
import { feedRoutes } from './feeds.ts';
import { sitemapRoutes } from './sitemap.ts';
import { wellKnownRoutes } from './well-known.ts';

export const routes = [...feedRoutes, ...sitemapRoutes, ...wellKnownRoutes];

/** `path` ends with a slash; `search` is empty or begins with a question mark. */
const feedsOf = (path: string, search: string, title: string): Alternate[] => [
  {
    type: 'application/atom+xml',
    href: `${path}feed.atom${search}`,
    title: `${title} (Atom)`,
    text: 'footer.atom',
  },
  {
    type: 'application/feed+json',
    href: `${path}feed.json${search}`,
    title: `${title} (JSON Feed)`,
    text: 'footer.jsonFeed',
  },
];

export const sections: Sections = {
  'home.alternates': async (_, { query, title }) => feedsOf('/', query.size ? `?${query}` : '', title),
  'contributor.alternates': async ({ t }, contributor) =>
    feedsOf(
      contributorPath(contributor.id, contributor.username),
      '',
      t('contributor.by', { name: displayName(contributor) }),
    ),
};
