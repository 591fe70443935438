// Scripts and style sheets. Their URLs contain a hash of the content, so that browsers can cache them for ever.

import swaggerCss from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import swaggerJs from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import apiCss from '../assets/api.css' with { type: 'text' };
import copyJs from '../assets/copy.js' with { type: 'text' };
import docsCss from '../assets/docs.css' with { type: 'text' };
import docsJs from '../assets/docs.js' with { type: 'text' };
import formsCss from '../assets/forms.css' with { type: 'text' };
import loadMoreJs from '../assets/load-more.js' with { type: 'text' };
import lookupJs from '../assets/lookup.js' with { type: 'text' };
import faviconSvg from '../assets/mark.svg' with { type: 'text' };
import mediaCss from '../assets/media.css' with { type: 'text' };
import moderationJs from '../assets/moderation.js' with { type: 'text' };
import omitEmptyJs from '../assets/omit-empty.js' with { type: 'text' };
import passkeyJs from '../assets/passkey.js' with { type: 'text' };
import postersCss from '../assets/posters.css' with { type: 'text' };
import projectFormJs from '../assets/project-form.js' with { type: 'text' };
import siteJs from '../assets/site.js' with { type: 'text' };
import pagesCss from '../assets/vitrine.css' with { type: 'text' };
import { NotFound } from '../errors.ts';
import { type PreparedResponse, prepareResponse } from '../rest/prepared-response.ts';
import type { SiteFiles } from '../rest/site.ts';

const hashedPath = (text: string, ending: string) =>
  `/assets/vitrine-${Bun.hash(text).toString(36)}.${ending}`;

// Each page loads one style sheet: the browsable API has additional rules.
const pageCss = [pagesCss, formsCss, mediaCss, postersCss].join('\n');
const apiPageCss = `${pageCss}\n${apiCss}`;

export const stylesheet = hashedPath(pageCss, 'css');
export const favicon = hashedPath(faviconSvg, 'svg');
export const siteScript = hashedPath(siteJs, 'js');
export const loadMoreScript = hashedPath(loadMoreJs, 'js');
export const moderationScript = hashedPath(moderationJs, 'js');
export const passkeyScript = hashedPath(passkeyJs, 'js');
export const projectFormScript = hashedPath(projectFormJs, 'js');
export const lookupScript = hashedPath(lookupJs, 'js');

const docsPageCss = `${swaggerCss}\n${docsCss}`;

/** The files that the browsable API and the API documentation load. */
export const siteFiles: SiteFiles = {
  stylesheet: hashedPath(apiPageCss, 'css'),
  favicon,
  scripts: [copyJs, lookupJs, omitEmptyJs].map((script) => hashedPath(script, 'js')),
  swagger: {
    stylesheet: hashedPath(docsPageCss, 'css'),
    program: hashedPath(swaggerJs, 'js'),
    start: hashedPath(docsJs, 'js'),
  },
};

const files = new Map([
  [stylesheet, { type: 'text/css; charset=utf-8', text: pageCss }],
  [siteFiles.stylesheet, { type: 'text/css; charset=utf-8', text: apiPageCss }],
  [siteFiles.swagger.stylesheet, { type: 'text/css; charset=utf-8', text: docsPageCss }],
  [favicon, { type: 'image/svg+xml', text: faviconSvg }],
  ...[
    copyJs,
    lookupJs,
    omitEmptyJs,
    swaggerJs,
    docsJs,
    siteJs,
    loadMoreJs,
    moderationJs,
    passkeyJs,
    projectFormJs,
  ].map((text) => [hashedPath(text, 'js'), { type: 'text/javascript; charset=utf-8', text }] as const),
]);

export function serveAsset(path: string): PreparedResponse {
  const file = files.get(path);
  if (!file) throw new NotFound();
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return prepareResponse(200, headers, file.text);
}
