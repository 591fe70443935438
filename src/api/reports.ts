// /api/v1/projects/<id>/report/ and /api/v1/reports/: what readers report, and what moderators decide on it.

import { z } from 'zod';
import { Conflict } from '../errors.ts';
import { readFields } from '../fields.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { formatInstant } from '../gallery/instant.ts';
import { leaveIt, remove } from '../gallery/moderation/decide.ts';
import { decisionField, removalFields, whyFields } from '../gallery/moderation/decision.ts';
import { type Report, readReport, reasons, reportFields } from '../gallery/moderation/report.ts';
import { findReport, reportList, reportStates, type Told } from '../gallery/moderation/reports.ts';
import { report } from '../gallery/moderation/send.ts';
import { authorize } from '../gallery/permissions.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { envelope, pageParameters, paginate } from '../rest/pagination.ts';
import type { Resource } from '../rest/resource.ts';
import { identifier, idParameter } from './id-in-path.ts';
import type { ApiParts } from './index.ts';
import { needs } from './needs.ts';
import { projectId } from './projects.ts';
import { countsOnce, transactOnce } from './transact.ts';

const id = z.int().min(1).max(Number.MAX_SAFE_INTEGER);

const said = {
  project: id.describe('What was reported.'),
  reason: z.enum(reasons),
  words: z.string(),
  created: z.string(),
  modified: z.string(),
};

export const sentAnswer = z
  .object(said)
  .meta({ id: 'ReportSent', description: 'What the reader reported; they are told no more of it.' });

export const reportAnswer = z
  .object({
    id,
    url: z.url(),
    project_url: z.url(),
    ...said,
    contributor: id.describe('Whoever reported it.'),
    contributor_name: z.string(),
    decision: id.nullable().describe('The decision that closed it; null while it is open.'),
  })
  .meta({ id: 'Report', description: 'What a reader thinks that moderators should look at.' });

export const reportPage = envelope(reportAnswer).meta({
  id: 'ReportPage',
  description: 'A page of reports.',
});

/** Filters by a number that something has. */
export const numbered = z
  .string()
  .regex(/^[1-9]\d{0,14}$/, 'Enter an id.')
  .transform(Number);

const deciding = {
  decision: decisionField,
  reason: { ...whyFields.reason, help: 'Its author is told why it is removed: then it is needed.' },
};

export function reportResources(parts: ApiParts): Resource<Viewer>[] {
  const { database, projects, timeZone: zone, secret } = parts;
  const shownTo = (base: string) => (report: Told) => shown(report, base, zone);
  return [
    {
      path: '/api/v1/projects/:id/report/',
      pathParameters: projectId,
      name: 'Content Report',
      description: 'The way to tell moderators of a project or a comment that they should look at.',
      operations: {
        POST: {
          summary: 'Reports it; sent again while nobody has decided, it changes what was said.',
          headers: countsOnce,
          fields: reportFields,
          permission: needs('report'),
          async allowed(call) {
            const { contributor } = await projects.one(call.viewer, identifier(call));
            authorize(call.viewer, 'report', contributor);
          },
          status: 201,
          answer: sentAnswer,
          handle: (call) =>
            transactOnce(database, call, async (act) => {
              const read = () => readReport(call.body.data, call.strict);
              const {
                id: _,
                contributor: __,
                decision: ___,
                ...made
              } = await report(act, identifier(call), read);
              return { status: 201, data: { ...made, ...moments(made, zone) } };
            }),
        },
      },
    },
    {
      path: '/api/v1/reports/',
      name: 'Report List',
      description: 'What readers reported, the newest first.',
      operations: {
        GET: {
          summary: 'A page of reports.',
          parameters: {
            state: { description: 'Only the open ones, or the closed.', schema: z.enum(reportStates) },
            project: { description: 'Only those of one thing, by its id.', schema: numbered },
            ...pageParameters,
          },
          permission: needs('seeReports'),
          answer: reportPage,
          async handle(call) {
            const state = call.given.get('state')?.value as (typeof reportStates)[number] | undefined;
            const project = call.given.get('project')?.value as number | undefined;
            const list = reportList(database, call.viewer, { state, project });
            return { data: await paginate(list, call, secret, (reports) => reports.map(shownTo(call.base))) };
          },
        },
      },
    },
    {
      path: '/api/v1/reports/:id/',
      pathParameters: idParameter('report’s'),
      name: 'Report Instance',
      description: 'What a reader reported.',
      operations: {
        GET: {
          summary: 'The report.',
          permission: needs('seeReports'),
          answer: reportAnswer,
          async handle(call) {
            return { data: shownTo(call.base)(await findReport(database, call.viewer, identifier(call))) };
          },
        },
      },
    },
    {
      path: '/api/v1/reports/:id/decide/',
      pathParameters: idParameter('report’s'),
      name: 'Report Decision',
      description: 'The end of a report, and of all others of the same thing.',
      operations: {
        POST: {
          summary: 'Leaves what was reported as it is, or removes it.',
          headers: countsOnce,
          fields: deciding,
          permission: needs('decide'),
          async allowed(call) {
            await findReport(database, call.viewer, identifier(call));
          },
          answer: reportAnswer,
          handle: (call) =>
            transactOnce(database, call, async (act) => {
              const { transaction } = act;
              const found = await findReport(transaction, call.viewer, identifier(call));
              const { decision, reason = '' } = readFields(deciding, call.body.data, { strict: call.strict });
              if (decision === 'remove') readFields(removalFields, { reason });
              if (found.decision !== null) throw new Conflict('Somebody else has decided on this already.');
              const decide = decision === 'remove' ? remove : leaveIt;
              await decide({ ...act, reason }, found.project);
              return { data: shownTo(call.base)(await findReport(transaction, call.viewer, found.id)) };
            }),
        },
      },
    },
  ];
}

const moments = ({ created, modified }: Pick<Report, 'created' | 'modified'>, zone: string) => ({
  created: formatInstant(created, zone),
  modified: formatInstant(modified, zone),
});

function shown(report: Told, base: string, zone: string): z.input<typeof reportAnswer> {
  const { id, project, reason, words, contributor, decision } = report;
  return {
    ...{ id, url: `${base}/api/v1/reports/${id}/`, project_url: `${base}/api/v1/projects/${project}/` },
    ...{ project, reason, words, ...moments(report, zone) },
    ...{ contributor, contributor_name: displayName(report), decision },
  };
}
