// Files that programs look for at paths with a fixed name, such as /robots.txt, and what they find there.

import { NotFound } from '#common/errors.ts';
import { type PreparedResponse, prepareResponse } from '#rest/prepared-response.ts';
import { anyone, loadSections, type PageContext, page } from '../../core/pages/page.ts';

/** A file with all public projects, so that nobody needs to read every page. */
interface WholeFile {
  readonly path: string;
  /** A sentence for robots.txt, before the address. */
  readonly comment: string;
  /** The entry in llms.txt. */
  readonly name: string;
  readonly description: string;
}

declare module '../../core/pages/page.ts' {
  interface Places {
    'crawlers.files': Section<undefined, WholeFile>;
  }
}

export const loadWholeFiles = (context: PageContext) => loadSections(context, 'crawlers.files', undefined);

const plainText = { 'Content-Type': 'text/plain; charset=utf-8' };

/** Excludes sorted lists and searches, which repeat other pages, and the API, which has the same data as the pages. */
async function showRobotsTxt(context: PageContext): Promise<PreparedResponse> {
  const { origin } = context;
  const files = await loadWholeFiles(context);
  const about = files.map(({ comment, path }) => `# ${comment}: ${origin}${path}\n`).join('');
  const body = `${about}User-agent: *
Disallow: /api/
Disallow: /*?*ordering=
Disallow: /*?*search=
Disallow: /sign-in/
Disallow: /sign-up/

Sitemap: ${origin}/sitemap.xml
`;
  return prepareResponse(200, plainText, body);
}

// /.well-known/security.txt (RFC 9116): where to report a problem, which is the contact of the site.

const dayMs = 24 * 3_600_000;
/** The file says that it is valid for so long: readers of an older copy should fetch it again. */
const validDays = 90;

async function showSecurityTxt({ layout: { site }, origin }: PageContext) {
  if (!site.contact) throw new NotFound();
  const today = Math.floor(Date.now() / dayMs);
  const lines = [
    `Contact: ${site.contact.href}`,
    `Expires: ${new Date((today + validDays) * dayMs).toISOString()}`,
    `Canonical: ${origin}/.well-known/security.txt`,
  ];
  const headers = { ...plainText, 'Cache-Control': 'public, max-age=3600' };
  return prepareResponse(200, headers, `${lines.join('\n')}\n`);
}

// /.well-known/api-catalog (RFC 9727) and /llms.txt: where the API is described, for programs and for language models.

const catalogType = 'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"';

async function showApiCatalog({ origin }: PageContext) {
  const api = {
    anchor: `${origin}/api/v1/`,
    'service-desc': [{ href: `${origin}/api/v1/schema/`, type: 'application/vnd.oai.openapi+json' }],
    'service-doc': [{ href: `${origin}/api/v1/docs/`, type: 'text/html' }],
  };
  return prepareResponse(200, { 'Content-Type': catalogType }, JSON.stringify({ linkset: [api] }));
}

async function showLlmsTxt(context: PageContext) {
  const { origin, layout } = context;
  const { site } = layout;
  const files = (await loadWholeFiles(context)).map(
    ({ name, path, description }) => `\n- [${name}](${origin}${path}): ${description}`,
  );
  const body = `# ${site.name}

> ${site.tagline || 'A gallery of projects.'}

Each page of a project, a person or a list is JSON too, with \`?format=json\`.

## API

- [OpenAPI document](${origin}/api/v1/schema/): all operations, with examples
- [Documentation](${origin}/api/v1/docs/): the same to read
- [Projects](${origin}/api/v1/projects/): the newest first; filters and orders are in the document${files.join('')}

## Pages

- [Sitemap](${origin}/sitemap.xml): all pages
- [Feed](${origin}/feed.atom): the newest projects
`;
  return prepareResponse(200, plainText, body);
}

export const wellKnownRoutes = [
  page('/robots.txt/', anyone, showRobotsTxt),
  page('/llms.txt/', anyone, showLlmsTxt),
  page('/.well-known/api-catalog/', anyone, showApiCatalog),
  page('/.well-known/security.txt/', anyone, showSecurityTxt),
];
