// The files that pages load, under names that change with their content, so that they may be kept for ever.

import apiCss from '../assets/api.css' with { type: 'text' };
import pagesCss from '../assets/vitrine.css' with { type: 'text' };
import { NotFound } from '../errors.ts';
import { type Answer, answer } from '../rest/answer.ts';

const css = `${pagesCss}\n${apiCss}`;

export const stylesheet = `/assets/vitrine-${Bun.hash(css).toString(36)}.css`;

export function asset(path: string): Answer {
  if (path !== stylesheet) throw new NotFound();
  const headers = {
    'Content-Type': 'text/css; charset=utf-8',
    'Cache-Control': 'public, max-age=31536000, immutable',
  };
  return answer(200, headers, css);
}
