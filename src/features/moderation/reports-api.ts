// /api/v1/projects/<id>/report/ and /api/v1/reports/: reports of viewers, and the decisions of moderators.

import { z } from 'zod';
import { choiceText, idText } from '#common/inputs.ts';
import { createRecordListing, pageParameters, pageSchema } from '#rest/pagination.ts';
import {
  type ApiResource,
  idempotencyKeyHeader,
  idParameter,
  listOperation,
  operation,
  parsePathId,
  writeOperation,
} from '../../core/api/operation.ts';
import { idSchema, timestampSchema, toRecord } from '../../core/api/schemas.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { decisionField, optionalReasonFields, requireReason } from '../../core/decisions/decision.ts';
import { formatInstant } from '../../core/instant.ts';
import { authorize } from '../../core/viewer/permissions.ts';
import { projectIdParameter } from '../../projects/api/projects.ts';
import { leaveAsIs, lockOpenReport, removeProject } from './decide.ts';
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
} from './report.ts';

const sentReportSchema = z
  .object({
    project: idSchema.describe('The project or comment that was reported.'),
    reason: z.enum(reportReasons),
    words: z.string(),
    created: timestampSchema,
    modified: timestampSchema,
  })
  .meta({ id: 'ReportSent', description: 'Your report. The decision on it is not shown.' });

const reportSchema = z
  .object({
    id: idSchema,
    url: z.url(),
    project_url: z.url(),
    ...sentReportSchema.shape,
    contributor: idSchema.describe('The contributor who reported it.'),
    contributor_name: z.string(),
    decision: idSchema.nullable().describe('The decision that closed the report; null while it is open.'),
  })
  .meta({ id: 'Report', description: 'A project or comment that moderators should look at.' });

const decisionFields = {
  decision: decisionField,
  reason: {
    ...optionalReasonFields.reason,
    help: 'Needed for a removal: the author sees it.',
  },
};

export const reportResources: ApiResource[] = [
  {
    path: '/api/v1/projects/:id/report/',
    pathParameters: projectIdParameter,
    name: 'Content Report',
    heading: 'Report',
    description: 'Reports a project or a comment to the moderators.',
    POST: writeOperation({
      operationId: 'reportProject',
      summary: 'Reports it. Sent again before a decision, it changes your report.',
      headers: idempotencyKeyHeader,
      fields: reportFields,
      permission: 'report',
      async precheck(context, { projects }) {
        const { contributor } = await projects.find(context.viewer, parsePathId(context));
        authorize(context.viewer, 'report', contributor);
      },
      status: 201,
      responseSchema: sentReportSchema,
      async write(write, context, { timeZone }) {
        const read = () => validateReport(context.readValues());
        const report = await reportProject(write, parsePathId(context), read);
        return { data: serializeSentReport(report, timeZone) };
      },
    }),
  },
  {
    path: '/api/v1/reports/',
    name: 'Report List',
    description: 'The reports, newest first.',
    GET: listOperation({
      operationId: 'listReports',
      summary: 'A page of reports.',
      parameters: {
        state: { description: 'Only open or only closed reports.', ...choiceText(reportStates) },
        project: { description: 'Only reports of one project or comment, by id.', ...idText() },
        ...pageParameters,
      },
      permission: 'seeReports',
      responseSchema: pageSchema(reportSchema, {
        id: 'ReportPage',
        description: 'A page of reports.',
      }),
      findListing({ viewer, parameters: { state, project }, origin }, { database, timeZone }) {
        const listing = listReports(database, viewer, { state, project });
        return createRecordListing(listing, reportSchema, (reports) =>
          reports.map((report) => serializeReport(report, origin, timeZone)),
        );
      },
    }),
  },
  {
    path: '/api/v1/reports/:id/',
    pathParameters: idParameter('report’s'),
    name: 'Report Instance',
    description: 'One report.',
    GET: operation({
      operationId: 'getReport',
      summary: 'The report.',
      permission: 'seeReports',
      responseSchema: reportSchema,
      async handle(context, { database, timeZone }) {
        const report = await findReport(database, context.viewer, parsePathId(context));
        return { data: serializeReport(report, context.origin, timeZone) };
      },
    }),
  },
  {
    path: '/api/v1/reports/:id/decide/',
    pathParameters: idParameter('report’s'),
    name: 'Report Decision',
    description: 'Decides on a report, and on all others of the same project or comment.',
    POST: writeOperation({
      operationId: 'decideReport',
      summary: 'Keeps or removes the reported project or comment.',
      headers: idempotencyKeyHeader,
      errors: [409],
      fields: decisionFields,
      permission: 'decide',
      precheck: (context, { database }) => findReport(database, context.viewer, parsePathId(context)),
      responseSchema: reportSchema,
      async write(write, context, { timeZone }) {
        const { decision, reason } = context.readValues();
        if (decision === 'remove') requireReason(reason);
        const report = await lockOpenReport(write, parsePathId(context));
        const decide = decision === 'remove' ? removeProject : leaveAsIs;
        await decide({ ...write, reason }, report.project);
        const decided = await findReport(write.transaction, context.viewer, report.id);
        return { data: serializeReport(decided, context.origin, timeZone) };
      },
    }),
  },
];

const serializeSentReport = (report: Report, timeZone: string) =>
  toRecord(sentReportSchema, report, {
    created: formatInstant(report.created, timeZone),
    modified: formatInstant(report.modified, timeZone),
  });

const serializeReport = (report: ReportDetails, origin: string, timeZone: string) =>
  toRecord(reportSchema, report, {
    url: `${origin}/api/v1/reports/${report.id}/`,
    project_url: `${origin}/api/v1/projects/${report.project}/`,
    created: formatInstant(report.created, timeZone),
    modified: formatInstant(report.modified, timeZone),
    contributor_name: displayName(report),
  });
