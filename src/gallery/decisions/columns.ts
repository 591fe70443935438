import { decisionTable } from '../../database/schema.ts';
import type { Status } from '../project-status.ts';
import type { DecisionAction } from './decision.ts';

/** With the types that the gallery gives their values. */
export const decisionColumns = {
  ...decisionTable.columns,
  action: decisionTable.columns.action.narrow<DecisionAction>(),
  status: decisionTable.columns.status.narrow<Status | null>(),
};
