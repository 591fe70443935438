// How hosts serve the folder: a configuration for nginx, the files that Netlify and others read, and a page for people.

import type { MovedProject } from './checkpoint.ts';

const headers: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  '/media/*': {
    'Content-Security-Policy': "default-src 'none'; sandbox",
    'X-Content-Type-Options': 'nosniff',
    'Access-Control-Allow-Origin': '*',
  },
  '/api/*': { 'Access-Control-Allow-Origin': '*' },
};

const formatHeaders = (
  values: Readonly<Record<string, string>>,
  format: (name: string, value: string) => string,
): string =>
  Object.entries(values)
    .map(([name, value]) => `  ${format(name, value)}\n`)
    .join('');

const nginxHeader = (name: string, value: string) => `add_header ${name} "${value}";`;

/** The addresses that a folder with two levels more has elsewhere. */
const deepRules = `
rewrite ^/content/(\\w\\w)(\\w\\w)(\\w*)/(.*)$ /content/$1/$2/$1$2$3/$4 last;
rewrite ^/media/(\\w\\w)(\\w\\w)(\\w+\\.\\w+)$ /media/$1/$2/$1$2$3 last;
rewrite ^/contributors/(\\d+)(\\d\\d\\d)-(.*)$ /contributors/$1/$1$2-$3 last;
rewrite "^/contributors/(\\d{1,3})-(.*)$" /contributors/0/$1-$2 last;
rewrite ^/api/v1/(projects|contributors)/(\\d+)(\\d\\d\\d)/?$ /api/v1/$1/$2/$2$3/index.json last;
rewrite "^/api/v1/(projects|contributors)/(\\d{1,3})/?$" /api/v1/$1/0/$2/index.json last;
`;

type Moved = readonly MovedProject[];

const nginx = (isDeep: boolean, moved: Moved) => `# Include this in a server block whose root is this folder.
index index.html index.json;
error_page 404 /404.html;
charset utf-8;
${moved.map(({ uuid, folder }) => `rewrite ^/content/${uuid}/(.*)$ /content/${folder}/$1 redirect;\n`).join('')}${isDeep ? deepRules : ''}
location = /nginx.conf { return 404; }
location ~ \\.atom$ { default_type application/atom+xml; types { } }
location ~ /feed\\.json$ { default_type application/feed+json; types { } }
${Object.entries(headers)
  .map(([path, values]) => `location ${path.replace('*', '')} {\n${formatHeaders(values, nginxHeader)}}\n`)
  .join('')}
# A link with the slug of an earlier title.
location ~ "^/content/(?<place>(?:\\w\\w/\\w\\w/)?\\w{5,})/[^/]+/" { try_files $uri $uri/ @without_slug; }
location @without_slug { return 302 /content/$place/; }
`;

const redirects = (
  moved: Moved,
) => `${moved.map(({ uuid, folder }) => `/content/${uuid}/* /content/${folder}/:splat 301\n`).join('')}# A link with the slug of an earlier title, and records as the API has them.
/content/:uuid/:slug/ /content/:uuid/ 302
/api/v1/projects/ /api/v1/projects/index.json 200
/api/v1/projects/:id/ /api/v1/projects/:id/index.json 200
/api/v1/contributors/ /api/v1/contributors/index.json 200
/api/v1/contributors/:id/ /api/v1/contributors/:id/index.json 200
/api/v1/tags/ /api/v1/tags/index.json 200
`;

const readme = (
  origin: string,
) => `This folder is the gallery of ${origin}, to be read without a server program.

Put it on any web host, at the root of its address. nginx.conf is for nginx; Netlify and Cloudflare Pages read _redirects
and _headers. A host that shows 404.html for what it does not have also finds addresses with the titles that projects had
before.

SHA256SUMS: check the folder with sha256sum --check --quiet SHA256SUMS.
public-dump.ndjson.gz: all projects as data, one on each line.
`;

/** By their addresses. */
export const hostingFiles = (
  origin: string,
  { isDeep, moved }: { readonly isDeep: boolean; readonly moved: Moved },
): Readonly<Record<string, string>> => ({
  '/nginx.conf': nginx(isDeep, moved),
  '/_redirects': isDeep ? '' : redirects(moved),
  '/_headers': Object.entries(headers)
    .map(([path, values]) => `${path}\n${formatHeaders(values, (name, value) => `${name}: ${value}`)}`)
    .join(''),
  '/README.txt': readme(origin),
  '/robots.txt': `# All projects in one file: ${origin}/public-dump.ndjson.gz\nUser-agent: *\nDisallow: /api/\n\nSitemap: ${origin}/sitemap.xml\n`,
});
