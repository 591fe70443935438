// /api/v1/projects/<id>/report/ and /api/v1/reports/: reports of viewers, and the decisions of moderators.

import { z } from 'zod';
import { choiceText, idText } from '../common/inputs.ts';
import { transactOnce } from '../gallery/changes/write.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { decisionField, optionalReasonFields, requireReason } from '../gallery/decisions/decision.ts';
import { formatInstant } from '../gallery/instant.ts';
import { leaveAsIs, lockOpenReport, removeProject } from '../gallery/moderation/decide.ts';
import {
  findReport,
  listReports,
  type Report,
  type ReportDetails,
  reportFields,
  reportProject,
  reportReasons,
  reportStates,
  validateReport,
} from '../gallery/moderation/report.ts';
import { authorize } from '../gallery/permissions.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { findListColumns } from '../rest/list-formats.ts';
import { createRecordListing, pageParameters, pageSchema } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import type { ApiDependencies } from './dependencies.ts';
import { idParameter, idSchema, listOperation, operation, parsePathId } from './operation.ts';
import { projectIdParameter } from './projects.ts';
import { timestampSchema } from './timestamp.ts';
import { idempotencyKeyHeader } from './write-headers.ts';

const sentReportShape = {
  project: idSchema.describe('The project or comment that was reported.'),
  reason: z.enum(reportReasons),
  words: z.string(),
  created: timestampSchema,
  modified: timestampSchema,
};

export const sentReportSchema = z
  .object(sentReportShape)
  .meta({ id: 'ReportSent', description: 'Your report. The decision on it is not shown.' });

export const reportSchema = z
  .object({
    id: idSchema,
    url: z.url(),
    project_url: z.url(),
    ...sentReportShape,
    contributor: idSchema.describe('The contributor who reported it.'),
    contributor_name: z.string(),
    decision: idSchema.nullable().describe('The decision that closed the report; null while it is open.'),
  })
  .meta({ id: 'Report', description: 'A project or comment that moderators should look at.' });

export const reportPageSchema = pageSchema(reportSchema).meta({
  id: 'ReportPage',
  description: 'A page of reports.',
});

const decisionFields = {
  decision: decisionField,
  reason: {
    ...optionalReasonFields.reason,
    help: 'Needed for a removal: the author sees it.',
  },
};

export function reportResources(deps: ApiDependencies): Resource<Viewer>[] {
  return [
    {
      path: '/api/v1/projects/:id/report/',
      pathParameters: projectIdParameter,
      name: 'Content Report',
      heading: 'Report',
      description: 'Reports a project or a comment to the moderators.',
      operations: { POST: reportOperation(deps) },
    },
    {
      path: '/api/v1/reports/',
      name: 'Report List',
      description: 'The reports, newest first.',
      operations: { GET: reportsOperation(deps) },
    },
    {
      path: '/api/v1/reports/:id/',
      pathParameters: idParameter('report’s'),
      name: 'Report Instance',
      description: 'One report.',
      operations: { GET: getOperation(deps) },
    },
    {
      path: '/api/v1/reports/:id/decide/',
      pathParameters: idParameter('report’s'),
      name: 'Report Decision',
      description: 'Decides on a report, and on all others of the same project or comment.',
      operations: { POST: decideOperation(deps) },
    },
  ];
}

const reportOperation = ({ database, projects, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'reportProject',
    summary: 'Reports it. Sent again before a decision, it changes your report.',
    headers: idempotencyKeyHeader,
    fields: reportFields,
    permission: 'report',
    async precheck(context) {
      const { contributor } = await projects.find(context.viewer, parsePathId(context));
      authorize(context.viewer, 'report', contributor);
    },
    status: 201,
    responseSchema: sentReportSchema,
    handle: (context) =>
      transactOnce(database, context, async (write) => {
        const read = () => validateReport(context.readValues());
        const report = await reportProject(write, parsePathId(context), read);
        return { status: 201, data: serializeSentReport(report, timeZone) };
      }),
  });

const reportsOperation = (deps: ApiDependencies) =>
  listOperation(deps, {
    operationId: 'listReports',
    summary: 'A page of reports.',
    parameters: {
      state: { description: 'Only open or only closed reports.', ...choiceText(reportStates) },
      project: { description: 'Only reports of one project or comment, by id.', ...idText() },
      ...pageParameters,
    },
    permission: 'seeReports',
    responseSchema: reportPageSchema,
    findListing({ viewer, parameters: { state, project }, origin }) {
      const listing = listReports(deps.database, viewer, { state, project });
      return createRecordListing(listing, findListColumns(reportSchema), (reports) =>
        reports.map((report) => serializeReport(report, origin, deps.timeZone)),
      );
    },
  });

const getOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'getReport',
    summary: 'The report.',
    permission: 'seeReports',
    responseSchema: reportSchema,
    async handle(context) {
      const report = await findReport(database, context.viewer, parsePathId(context));
      return { data: serializeReport(report, context.origin, timeZone) };
    },
  });

const decideOperation = ({ database, timeZone }: ApiDependencies) =>
  operation({
    operationId: 'decideReport',
    summary: 'Keeps or removes the reported project or comment.',
    headers: idempotencyKeyHeader,
    errors: [409],
    fields: decisionFields,
    permission: 'decide',
    async precheck(context) {
      await findReport(database, context.viewer, parsePathId(context));
    },
    responseSchema: reportSchema,
    handle: (context) =>
      transactOnce(database, context, async (write) => {
        const { decision, reason } = context.readValues();
        if (decision === 'remove') requireReason(reason);
        const report = await lockOpenReport(write, parsePathId(context));
        const decide = decision === 'remove' ? removeProject : leaveAsIs;
        await decide({ ...write, reason }, report.project);
        const decided = await findReport(write.transaction, context.viewer, report.id);
        return { data: serializeReport(decided, context.origin, timeZone) };
      }),
  });

function serializeSentReport(
  { project, reason, words, created, modified }: Report,
  timeZone: string,
): z.input<typeof sentReportSchema> {
  return {
    project,
    reason,
    words,
    created: formatInstant(created, timeZone),
    modified: formatInstant(modified, timeZone),
  };
}

function serializeReport(
  report: ReportDetails,
  origin: string,
  timeZone: string,
): z.input<typeof reportSchema> {
  const { id, project, contributor, decision } = report;
  return {
    id,
    url: `${origin}/api/v1/reports/${id}/`,
    project_url: `${origin}/api/v1/projects/${project}/`,
    ...serializeSentReport(report, timeZone),
    contributor,
    contributor_name: displayName(report),
    decision,
  };
}
