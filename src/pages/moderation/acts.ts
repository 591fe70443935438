// What moderators do from the queue and the log: decide, and take a decision back.

import { readFields } from '../../fields.ts';
import { idFrom, parseId } from '../../gallery/ids.ts';
import { leaveIt, remove } from '../../gallery/moderation/decide.ts';
import { decisionField, removalFields } from '../../gallery/moderation/decision.ts';
import { undo } from '../../gallery/moderation/undo.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { cameFrom } from '../frame.ts';
import { addressWith } from '../listing.ts';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';
import { transactOnce } from '../transact.ts';
import { toldOnPage } from './room.tsx';

const path = '/moderation/';

/** Then the next thing is looked at. */
export async function takeDecision(parts: PageParts, served: Served) {
  authorizeAny(served.viewer, 'decide');
  const { data } = await served.context.body();
  const [project, next] = [idFrom(data.project), parseId(String(data.next))];
  const { decision } = readFields({ decision: decisionField }, data);
  const { reason } = decision === 'remove' ? readFields(removalFields, data) : {};
  const { id } = await toldOnPage(() =>
    transactOnce(parts, served, (act) =>
      decision === 'remove'
        ? remove({ ...act, reason }, project)
        : leaveIt(act, project, parseId(String(data.seen))),
    ),
  );
  if (next === undefined) return seeOther(`${path}?done=${id}`);
  const at = addressWith(path, served.address.query, { done: String(id) });
  return seeOther(`${at}#thing-${next}`);
}

export async function takeBack(parts: PageParts, served: Served) {
  const id = idFrom(served.params.id);
  await toldOnPage(() => transactOnce(parts, served, (act) => undo(act, id)));
  const from = cameFrom(served.context);
  return seeOther(from.startsWith(path) ? from : `${path}log/`);
}
