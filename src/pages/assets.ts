// The files that pages load, under names that change with their content, so that they may be kept for ever.

import apiCss from '../assets/api.css' with { type: 'text' };
import mark from '../assets/mark.svg' with { type: 'text' };
import mediaCss from '../assets/media.css' with { type: 'text' };
import pagesCss from '../assets/vitrine.css' with { type: 'text' };
import { NotFound } from '../errors.ts';
import { type Answer, answer } from '../rest/answer.ts';

const named = (text: string, ending: string) => `/assets/vitrine-${Bun.hash(text).toString(36)}.${ending}`;

const css = `${pagesCss}\n${mediaCss}\n${apiCss}`;

export const stylesheet = named(css, 'css');
export const favicon = named(mark, 'svg');

const files = new Map([
  [stylesheet, { type: 'text/css; charset=utf-8', text: css }],
  [favicon, { type: 'image/svg+xml', text: mark }],
]);

export function asset(path: string): Answer {
  const file = files.get(path);
  if (!file) throw new NotFound();
  const headers = { 'Content-Type': file.type, 'Cache-Control': 'public, max-age=31536000, immutable' };
  return answer(200, headers, file.text);
}
