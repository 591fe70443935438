import { accountResource } from './accounts-api.ts';
import { decisionResources } from './decisions-api.ts';
import { nameReportResource } from './name-reports-api.ts';
import { reportResources } from './reports-api.ts';

/** Not before somebody asks: features add actions of decisions. */
export const createResources = () => [
  nameReportResource,
  accountResource,
  ...reportResources,
  ...decisionResources(),
];
