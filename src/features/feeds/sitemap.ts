// /sitemap.xml, an index of /sitemaps/<first>-<last>.xml with ranges of project ids.

import { NotFound } from '#common/errors.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { escapeXml, xmlDeclaration } from '../../core/escape-xml.ts';
import { mediaPath } from '../../core/files/stored-files.ts';
import { parseId } from '../../core/ids.ts';
import { formatInstant } from '../../core/instant.ts';
import { anyone, type PageContext, page } from '../../core/pages/page.ts';
import { contributorPath, projectPath } from '../../core/paths.ts';
import { SitemapRanges } from './sitemap-ranges.ts';
import { loadWholeFiles } from './well-known.ts';

const sitemapNamespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
const imageNamespace = 'http://www.google.com/schemas/sitemap-image/1.1';
const headers = { 'Content-Type': 'application/xml; charset=utf-8' };

async function showSitemapIndex({ database, origin }: PageContext): Promise<PreparedResponse> {
  const ranges = await new SitemapRanges(database).list();
  const entries = ranges.map(
    ({ first, last }) =>
      `<sitemap><loc>${escapeXml(`${origin}/sitemaps/${first}-${last ?? ''}.xml`)}</loc></sitemap>\n`,
  );
  const body = `${xmlDeclaration}<sitemapindex xmlns="${sitemapNamespace}">\n${entries.join('')}</sitemapindex>\n`;
  return prepareResponse(200, headers, body);
}

async function showSitemap(context: PageContext): Promise<PreparedResponse> {
  const { database, timeZone, params, origin } = context;
  const [, from = '', to = ''] = /^(\d+)-(\d*)\.xml$/.exec(params.range ?? '') ?? [];
  const [first, last] = [parseId(from), to === '' ? undefined : parseId(to)];
  if (first === undefined || (to !== '' && last === undefined)) throw new NotFound();
  const wholeFiles = await loadWholeFiles(context);
  const firstPaths = first === 1 ? ['/', ...wholeFiles.map(({ path }) => path)] : [];
  const firstEntries = firstPaths.map((path) => `<url><loc>${escapeXml(origin + path)}</loc></url>\n`);
  const projects = await new SitemapRanges(database).loadProjects({ first, last });
  const projectEntries = projects.map(
    (project) =>
      `<url><loc>${escapeXml(origin + projectPath(project))}</loc><lastmod>${formatInstant(project.modified, timeZone)}</lastmod>${formatImage(project, origin)}</url>\n`,
  );
  // A contributor with projects in several ranges is listed in each of them, which does no harm.
  const usernames = new Map(projects.map((project) => [project.contributor, project.username]));
  const contributorEntries = [...usernames].map(
    ([id, username]) => `<url><loc>${escapeXml(origin + contributorPath(id, username))}</loc></url>\n`,
  );
  const entries = [...firstEntries, ...projectEntries, ...contributorEntries].join('');
  const body = `${xmlDeclaration}<urlset xmlns="${sitemapNamespace}" xmlns:image="${imageNamespace}">\n${entries}</urlset>\n`;
  return prepareResponse(200, headers, body);
}

const formatImage = ({ cover }: { readonly cover: string | null }, origin: string) =>
  cover === null
    ? ''
    : `<image:image><image:loc>${escapeXml(origin + mediaPath('image/webp', { hash: cover }))}</image:loc></image:image>`;

export const sitemapRoutes = [
  page('/sitemap.xml/', anyone, showSitemapIndex),
  page('/sitemaps/:range/', anyone, showSitemap),
];
