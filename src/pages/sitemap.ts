// /sitemap.xml and its parts, /sitemaps/<first>-<last>.xml, and /robots.txt, which leads there.

import { NotFound } from '../errors.ts';
import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { parseId } from '../gallery/ids.ts';
import { formatInstant } from '../gallery/instant.ts';
import { type Answer, answer } from '../rest/answer.ts';
import type { PageParts, Served } from './serve.ts';
import { escaped, xmlHead } from './xml.ts';

const schema = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const headers = { 'Content-Type': 'application/xml; charset=utf-8' };

export async function sitemap({ parts }: PageParts, { base }: Served): Promise<Answer> {
  const listed = await parts.all();
  const entries = listed.map(
    ({ first, last }) =>
      `<sitemap><loc>${escaped(`${base}/sitemaps/${first}-${last ?? ''}.xml`)}</loc></sitemap>\n`,
  );
  const body = `${xmlHead}<sitemapindex xmlns="${schema}">\n${entries.join('')}</sitemapindex>\n`;
  return answer(200, headers, body);
}

export async function sitemapPart({ parts, timeZone }: PageParts, { params, base }: Served): Promise<Answer> {
  const [, from = '', to = ''] = /^(\d+)-(\d*)\.xml$/.exec(params.range ?? '') ?? [];
  const [first, last] = [parseId(from), to === '' ? undefined : parseId(to)];
  if (first === undefined || (to !== '' && last === undefined)) throw new NotFound();
  const home = first === 1 ? [`<url><loc>${escaped(`${base}/`)}</loc></url>\n`] : [];
  const listed = await parts.of({ first, last });
  const projects = listed.map(
    (project) =>
      `<url><loc>${escaped(base + projectPath(project))}</loc><lastmod>${formatInstant(project.modified, timeZone)}</lastmod></url>\n`,
  );
  // Whoever made things in several parts is named in each of them, which does no harm.
  const makers = new Map(listed.map((project) => [project.contributor, project.username]));
  const people = [...makers].map(
    ([id, username]) => `<url><loc>${escaped(base + contributorPath(id, username))}</loc></url>\n`,
  );
  const entries = [...home, ...projects, ...people].join('');
  const body = `${xmlHead}<urlset xmlns="${schema}">\n${entries}</urlset>\n`;
  return answer(200, headers, body);
}

/** Robots need no list sorted in every way, and have the pages for what the API says. */
export async function robots(_: PageParts, { base }: Served): Promise<Answer> {
  const body = `User-agent: *
Disallow: /api/
Disallow: /*?*ordering=
Disallow: /*?*search=
Disallow: /sign-in/
Disallow: /sign-up/

Sitemap: ${base}/sitemap.xml
`;
  return answer(200, { 'Content-Type': 'text/plain; charset=utf-8' }, body);
}
