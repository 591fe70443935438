// /api/v1/contributors/<id>/report/.

import {
  type ApiResource,
  idempotencyKeyHeader,
  idParameter,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { findContributor } from '../../core/contributors/find-contributors.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { nameReportFields, reportName } from './name-report.ts';

export const nameReportResource: ApiResource = {
  path: '/api/v1/contributors/:id/report/',
  pathParameters: idParameter('contributor’s'),
  name: 'Contributor Report',
  description: 'Reports the name of a contributor to the moderators.',
  POST: writeOperation({
    operationId: 'reportContributorName',
    summary: 'Reports the name. Sent again before a decision, it changes your report.',
    headers: idempotencyKeyHeader,
    fields: nameReportFields,
    permission: 'report',
    async precheck(context, { database }) {
      const { id } = await findContributor(database, context.viewer, parsePathId(context));
      authorize(context.viewer, 'report', id);
    },
    status: 204,
    async write(write, context) {
      const { id } = await findContributor(write.transaction, context.viewer, parsePathId(context));
      await reportName(write, id, context.readValues().words);
    },
  }),
};
