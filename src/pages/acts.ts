// What readers do from a project's page: copy it, rate it, say something of it. The forms stand in can-do.tsx.

import { readFields, wholeField } from '../fields.ts';
import { projectPath } from '../gallery/addresses.ts';
import { commentOn, copy } from '../gallery/projects/change.ts';
import { commentFields } from '../gallery/projects/fields.ts';
import { rate } from '../gallery/ratings/rate.ts';
import { ratingRange } from '../gallery/ratings/rating.ts';
import { seeOther } from './moved.ts';
import type { PageParts, Served } from './serve.ts';
import { transactOnce } from './transact.ts';

const value = wholeField({ label: 'Rating', ...ratingRange });

/** A copy is there to be changed. */
export async function takeCopy(parts: PageParts, served: Served) {
  const { id } = await seen(parts, served);
  return seeOther(`${projectPath(await transactOnce(parts, served, (act) => copy(act, id)))}edit/`);
}

export async function takeRating(parts: PageParts, served: Served) {
  const found = await seen(parts, served);
  const { data } = await served.context.body();
  const given = data.value === '' ? undefined : readFields({ value }, data).value;
  await transactOnce(parts, served, (act) => rate(act, found.id, given));
  return seeOther(`${projectPath(found)}#rating`);
}

/** A new comment stands at the end of the thread. */
export async function takeComment(parts: PageParts, served: Served) {
  const found = await seen(parts, served);
  const { text } = commentFields;
  const { data } = await served.context.body();
  await transactOnce(parts, served, (act) => commentOn(act, found.id, () => readFields({ text }, data)));
  return seeOther(`${projectPath(found)}?page=last#comments`);
}

function seen({ projects }: PageParts, { viewer, params }: Served) {
  return projects.byUuid(viewer, params.uuid ?? '');
}
