// /look/: light or dark, or as the reader's system has it.

import { lookSet, looks } from '../rest/look.ts';
import { cameFrom } from './frame.ts';
import { seeOther } from './moved.ts';
import type { PageParts, Served } from './serve.ts';

export async function look(_: PageParts, { context }: Served) {
  const { look: wanted } = (await context.body()).data;
  return seeOther(cameFrom(context), [lookSet(looks.find((look) => look === wanted))]);
}
