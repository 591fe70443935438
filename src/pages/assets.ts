// The files that pages load, under names that change with their content, so that they may be kept for ever.

import apiCss from '../assets/api.css' with { type: 'text' };
import formsCss from '../assets/forms.css' with { type: 'text' };
import mark from '../assets/mark.svg' with { type: 'text' };
import moderationJs from '../assets/moderation.js' with { type: 'text' };
import moreJs from '../assets/more.js' with { type: 'text' };
import siteJs from '../assets/site.js' with { type: 'text' };
import pagesCss from '../assets/vitrine.css' with { type: 'text' };
import writingJs from '../assets/writing.js' with { type: 'text' };
import { NotFound } from '../errors.ts';
import { type Answer, answer } from '../rest/answer.ts';

const named = (text: string, ending: string) => `/assets/vitrine-${Bun.hash(text).toString(36)}.${ending}`;

const css = [pagesCss, formsCss, apiCss].join('\n');

export const stylesheet = named(css, 'css');
export const favicon = named(mark, 'svg');
export const siteScript = named(siteJs, 'js');
export const moreScript = named(moreJs, 'js');
export const moderationScript = named(moderationJs, 'js');
export const writingScript = named(writingJs, 'js');

const script = 'text/javascript; charset=utf-8';

const files = new Map([
  [stylesheet, { type: 'text/css; charset=utf-8', text: css }],
  [favicon, { type: 'image/svg+xml', text: mark }],
  [siteScript, { type: script, text: siteJs }],
  [moreScript, { type: script, text: moreJs }],
  [moderationScript, { type: script, text: moderationJs }],
  [writingScript, { type: script, text: writingJs }],
]);

export function asset(path: string): Answer {
  const file = files.get(path);
  if (!file) throw new NotFound();
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return answer(200, headers, file.text);
}
