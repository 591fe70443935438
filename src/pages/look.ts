// /look/: light or dark, or as the reader's system has it.

import { lookSet, looks } from '../rest/look.ts';
import { cameFrom } from './frame.ts';
import { seeOther } from './moved.ts';
import type { PageParts, Served } from './serve.ts';

export async function look(_: PageParts, { visit }: Served) {
  const { look: wanted } = (await visit.body()).data;
  return seeOther(cameFrom(visit), [lookSet(looks.find((look) => look === wanted))]);
}
