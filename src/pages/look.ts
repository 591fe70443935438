// /look/: light or dark, or as the reader's system has it; kept in a cookie, so that pages come as they are to look.

import { answer } from '../rest/answer.ts';
import { cameFrom, lookCookie, looks } from './frame.ts';
import type { PageParts, Served } from './index.ts';

const year = 365 * 24 * 60 * 60;

export async function look(_: PageParts, { visit }: Served) {
  const { look } = (await visit.body()).data;
  const chosen = looks.find((one) => one === look);
  const cookie = `${lookCookie}=${chosen ?? ''}; Path=/; Max-Age=${chosen ? year : 0}; SameSite=Lax`;
  return answer(303, { Location: cameFrom(visit), 'Set-Cookie': cookie });
}
