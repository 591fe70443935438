// The handlers of the forms in the queue and the log: making a decision and undoing one.

import { readFields, toText } from '../../common/fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { decisionField, requiredReasonFields } from '../../gallery/decisions/decision.ts';
import { parseId, requireId } from '../../gallery/ids.ts';
import { leaveAsIs, removeProject } from '../../gallery/moderation/decide.ts';
import { undoDecision } from '../../gallery/moderation/undo.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { urlWithParameters } from '../../rest/request-url.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { refererPath, seeOther } from '../redirects.ts';
import { showConflictOnPage } from './moderation-page.tsx';

const path = '/moderation/';

/** Leads to the next project in the queue. */
export async function submitDecision(deps: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'decide');
  const { data } = await context.request.readBody();
  const [project, nextProject] = [requireId(data.project), parseId(toText(data.next))];
  const { decision } = readFields({ decision: decisionField }, data);
  const { reason } = decision === 'remove' ? readFields(requiredReasonFields, data) : {};
  const { id } = await showConflictOnPage(() =>
    transactOnce(deps.database, context, (write) =>
      decision === 'remove'
        ? removeProject({ ...write, reason }, project)
        : leaveAsIs(write, project, parseId(toText(data.seen))),
    ),
  );
  if (nextProject === undefined) return seeOther(`${path}?done=${id}`);
  const href = urlWithParameters(path, context.url.query, { done: String(id) });
  return seeOther(`${href}#project-${nextProject}`);
}

export async function submitUndo(deps: PageDependencies, context: PageContext) {
  const id = requireId(context.params.id);
  await showConflictOnPage(() => transactOnce(deps.database, context, (write) => undoDecision(write, id)));
  const referer = refererPath(context.request);
  return seeOther(referer.startsWith(path) ? referer : `${path}log/`);
}
