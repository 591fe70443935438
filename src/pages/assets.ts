// The files that pages load, under names that change with their content, so that they may be kept for ever.

import viewerCss from 'swagger-ui-dist/swagger-ui.css' with { type: 'text' };
import viewer from 'swagger-ui-dist/swagger-ui-bundle.js' with { type: 'text' };
import apiCss from '../assets/api.css' with { type: 'text' };
import copy from '../assets/copy.js' with { type: 'text' };
import docsCss from '../assets/docs.css' with { type: 'text' };
import docs from '../assets/docs.js' with { type: 'text' };
import formsCss from '../assets/forms.css' with { type: 'text' };
import lookUp from '../assets/look-up.js' with { type: 'text' };
import mark from '../assets/mark.svg' with { type: 'text' };
import mediaCss from '../assets/media.css' with { type: 'text' };
import moderation from '../assets/moderation.js' with { type: 'text' };
import more from '../assets/more.js' with { type: 'text' };
import site from '../assets/site.js' with { type: 'text' };
import sparse from '../assets/sparse.js' with { type: 'text' };
import pagesCss from '../assets/vitrine.css' with { type: 'text' };
import writing from '../assets/writing.js' with { type: 'text' };
import { NotFound } from '../errors.ts';
import { type Answer, answer } from '../rest/answer.ts';
import type { SiteFiles } from '../rest/site.ts';

const named = (text: string, ending: string) => `/assets/vitrine-${Bun.hash(text).toString(36)}.${ending}`;

/** One style sheet for each page: those of the API need more. */
const css = [pagesCss, formsCss, mediaCss].join('\n');
const withApi = `${css}\n${apiCss}`;

export const stylesheet = named(css, 'css');
export const favicon = named(mark, 'svg');
export const siteScript = named(site, 'js');
export const moreScript = named(more, 'js');
export const moderationScript = named(moderation, 'js');
export const writingScript = named(writing, 'js');
export const lookUpScript = named(lookUp, 'js');

const documentation = `${viewerCss}\n${docsCss}`;

/** What the browsable API loads. */
export const siteFiles: SiteFiles = {
  stylesheet: named(withApi, 'css'),
  favicon,
  scripts: [copy, lookUp, sparse].map((script) => named(script, 'js')),
  viewer: {
    stylesheet: named(documentation, 'css'),
    program: named(viewer, 'js'),
    start: named(docs, 'js'),
  },
};

const files = new Map([
  [stylesheet, { type: 'text/css; charset=utf-8', text: css }],
  [siteFiles.stylesheet, { type: 'text/css; charset=utf-8', text: withApi }],
  [siteFiles.viewer.stylesheet, { type: 'text/css; charset=utf-8', text: documentation }],
  [favicon, { type: 'image/svg+xml', text: mark }],
  ...[copy, lookUp, sparse, viewer, docs, site, more, moderation, writing].map(
    (text) => [named(text, 'js'), { type: 'text/javascript; charset=utf-8', text }] as const,
  ),
]);

export function asset(path: string): Answer {
  const file = files.get(path);
  if (!file) throw new NotFound();
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return answer(200, headers, file.text);
}
