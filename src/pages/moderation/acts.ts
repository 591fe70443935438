// What moderators do from the queue and the log: decide, and take a decision back.

import { Invalid, NotFound } from '../../errors.ts';
import { readFields } from '../../fields.ts';
import { parseId } from '../../gallery/ids.ts';
import { leaveIt, remove } from '../../gallery/moderation/decide.ts';
import { removalFields } from '../../gallery/moderation/decision.ts';
import { undo } from '../../gallery/moderation/undo.ts';
import { demandEver } from '../../gallery/permissions.ts';
import { acting } from '../acting.ts';
import { cameFrom } from '../frame.ts';
import type { PageParts, Served } from '../index.ts';
import { seeOther } from '../moved.ts';
import { toldOnPage } from './room.tsx';

/** Then the next thing is looked at. */
export async function takeDecision(parts: PageParts, served: Served) {
  demandEver(served.reader, 'decide');
  const { data } = await served.visit.body();
  const [project, next] = [parseId(String(data.project)), parseId(String(data.next))];
  if (project === undefined) throw new NotFound();
  const seen = parseId(String(data.seen));
  const decide = {
    leave: (act: Parameters<typeof remove>[0]) => leaveIt(act, project, seen),
    remove: (act: Parameters<typeof remove>[0]) => {
      const { reason } = readFields(removalFields, data);
      return remove({ ...act, reason }, project);
    },
  }[String(data.decision)];
  if (!decide) throw new Invalid({ non_field_errors: ['Choose what is to become of it.'] });
  const { id } = await toldOnPage(() => acting(parts, served, decide));
  const { search } = new URL(cameFrom(served.visit), served.base);
  const query = new URLSearchParams(next === undefined ? '' : search);
  query.set('done', String(id));
  return seeOther(`/moderation/?${query}${next === undefined ? '' : `#thing-${next}`}`);
}

export async function takeBack(parts: PageParts, served: Served) {
  const id = parseId(served.params.id ?? '');
  if (id === undefined) throw new NotFound();
  await toldOnPage(() => acting(parts, served, (act) => undo(act, id)));
  const from = cameFrom(served.visit);
  return seeOther(from.startsWith('/moderation/') ? from : '/moderation/log/');
}
