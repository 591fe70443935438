// /api/v1/schema/: the API's OpenAPI document.

import { z } from 'zod';
import { choiceText } from '../common/inputs.ts';
import { mapValues } from '../common/json.ts';
import { pick } from '../database/columns.ts';
import type { Database } from '../database/database.ts';
import { first } from '../database/query.ts';
import { projectTable } from '../database/schema.ts';
import { feedKinds, notificationKinds } from '../gallery/changes/kinds.ts';
import { contentTypes } from '../gallery/content-types.ts';
import { shownNames } from '../gallery/contributors/contributor.ts';
import { decisionActions } from '../gallery/decision-actions.ts';
import { mediaTypes } from '../gallery/media/media.ts';
import { accountStates } from '../gallery/moderation/accounts.ts';
import { reportReasons, reportStates } from '../gallery/moderation/report.ts';
import { archived, draft, published, removed, waiting } from '../gallery/project-status.ts';
import { histories, visibilities } from '../gallery/projects/project.ts';
import { isListedSql } from '../gallery/projects/visibility.ts';
import { loadSite } from '../gallery/site/settings.ts';
import { roles } from '../gallery/viewer.ts';
import { outcomes } from '../import-export/own-data/import.ts';
import { toComplete } from '../rest/openapi/complete.ts';
import type { OpenApiDocument, OpenApiParameter } from '../rest/openapi/document.ts';
import { toOpenApi30 } from '../rest/openapi/openapi-3-0.ts';
import { hostnameOf } from '../rest/request-url.ts';
import { type ApiResource, operation } from './operation.ts';

const openApiSchema = z
  .looseObject({ openapi: z.string() })
  .meta({ id: 'OpenApi', description: 'An OpenAPI document.' });

/** The ids in the examples of two kinds of paths: requests with them succeed. */
async function findExamples(database: Database) {
  const listed = await first(database, pick(projectTable.columns, 'id', 'contributor'))`from project
    where ${isListedSql} and content_type <> 'comment' order by id limit 1`;
  return listed && { '/api/v1/projects/': listed.id, '/api/v1/contributors/': listed.contributor };
}

const setExamples = (
  paths: OpenApiDocument['paths'],
  examples: Readonly<Record<string, number>>,
): OpenApiDocument['paths'] =>
  mapValues(paths, ({ parameters, ...item }, path) => {
    const example = Object.entries(examples).find(([prefix]) => path.startsWith(`${prefix}{id}/`))?.[1];
    const set = (parameter: OpenApiParameter) =>
      parameter.name === 'id' && example !== undefined ? { ...parameter, example } : parameter;
    return { ...(parameters && { parameters: parameters.map(set) }), ...item };
  });

/** The contact of the site: a page or an email address. */
function describeContact(contact: { readonly href: string } | undefined, origin: string) {
  const href = contact?.href ?? `${origin}/`;
  return href.startsWith('mailto:') ? { email: href.slice('mailto:'.length) } : { url: href };
}

/** The title is the site’s name. */
export const schemaResource = (document: () => OpenApiDocument): ApiResource => ({
  path: '/api/v1/schema/',
  name: 'Schema',
  description: 'This API as an OpenAPI document.',
  GET: operation({
    operationId: 'getOpenApiDocument',
    summary: 'The OpenAPI document.',
    parameters: {
      openapi: { description: 'The version of OpenAPI; by default 3.1.', ...choiceText(['3.0', '3.1']) },
      complete: {
        description:
          'With `true` also forms, pages for browsers and partial records, for tools that check every request.',
        ...choiceText(['true', 'false']),
      },
    },
    permission: 'read',
    responseSchema: openApiSchema,
    jsonMediaType: 'application/vnd.oai.openapi+json',
    async handle({ origin, parameters }, { database }) {
      const { name, contact } = await loadSite(database, hostnameOf(origin));
      const { paths, ...shared } = document();
      const plain = { ...shared, paths: setExamples(paths, (await findExamples(database)) ?? {}) };
      const described = parameters.complete === 'true' ? toComplete(plain) : plain;
      const { openapi, info, ...rest } = parameters.openapi === '3.0' ? toOpenApi30(described) : described;
      const servers = [{ url: origin }];
      const about = { ...info, title: name, contact: { name, ...describeContact(contact, origin) } };
      return { data: { openapi, info: about, servers, ...rest } };
    },
  }),
});

// The choices that the OpenAPI document has as types of their own, by name. The names never change: programs import them.

export const choices = {
  AccountState: accountStates,
  ChangeKind: feedKinds,
  ContentType: contentTypes,
  DecisionAction: decisionActions,
  FileType: Object.keys(mediaTypes),
  HistoryVisibility: histories,
  ImportOutcome: outcomes,
  NotificationKind: notificationKinds,
  ProjectStatus: { draft, published, archived, removed, waiting },
  ReportReason: reportReasons,
  ReportState: reportStates,
  Role: roles,
  ShownName: shownNames,
  Visibility: visibilities,
};
