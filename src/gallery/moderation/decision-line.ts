import { defineLine, type LineOf } from '../line-format.ts';
import { id, instant, nullable, oneOf, text } from '../line-members.ts';
import { statuses } from '../projects/status.ts';
import { decisionActions, maxReasonLength } from './decision.ts';

export const decisionLine = defineLine('decision', {
  id,
  moderator: nullable(id),
  action: oneOf(decisionActions),
  project: nullable(id),
  contributor: id,
  reason: text({ maxLength: maxReasonLength }),
  status: nullable(oneOf(statuses)),
  undoes: nullable(id),
  created: instant,
});

export type DecisionLine = LineOf<typeof decisionLine>;
