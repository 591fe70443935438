// /api/v1/schema/: the API's OpenAPI document.

import { z } from 'zod';
import { choiceText } from '../common/inputs.ts';
import type { Database } from '../database/database.ts';
import { feedKinds, notificationKinds } from '../gallery/changes/kinds.ts';
import { contentTypes } from '../gallery/content-types.ts';
import { shownNames } from '../gallery/contributors/contributor.ts';
import { decisionActions } from '../gallery/decisions/decision.ts';
import { mediaTypes } from '../gallery/media/media.ts';
import { accountStates } from '../gallery/moderation/accounts.ts';
import { reportReasons } from '../gallery/moderation/report.ts';
import { reportStates } from '../gallery/moderation/reports.ts';
import { archived, draft, published, removed } from '../gallery/project-status.ts';
import { histories, visibilities } from '../gallery/projects/project.ts';
import { loadSite } from '../gallery/site/settings.ts';
import { roles, type Viewer } from '../gallery/viewer.ts';
import { outcomes } from '../import-export/own-data/import.ts';
import type { OpenApiDocument } from '../rest/openapi/document.ts';
import { toOpenApi30 } from '../rest/openapi/openapi-3-0.ts';
import { hostnameOf } from '../rest/request-url.ts';
import type { Resource } from '../rest/resource.ts';
import { operation } from './operation.ts';

const openApiSchema = z
  .looseObject({ openapi: z.string() })
  .meta({ id: 'OpenApi', description: 'An OpenAPI document.' });

/** The title is the site’s name. */
export function schemaResource(database: Database, document: () => OpenApiDocument): Resource<Viewer> {
  let older: ReturnType<typeof toOpenApi30> | undefined;
  const olderDocument = () => {
    older ??= toOpenApi30(document());
    return older;
  };
  return {
    path: '/api/v1/schema/',
    name: 'Schema',
    description: 'This API as an OpenAPI document.',
    operations: {
      GET: operation({
        operationId: 'getOpenApiDocument',
        summary: 'The OpenAPI document.',
        parameters: {
          openapi: { description: 'The version of OpenAPI; by default 3.1.', ...choiceText(['3.0', '3.1']) },
        },
        permission: 'read',
        responseSchema: openApiSchema,
        jsonMediaType: 'application/vnd.oai.openapi+json',
        async handle({ origin, parameters }) {
          const { name } = await loadSite(database, hostnameOf(origin));
          const { openapi, info, ...shared } = parameters.openapi === '3.0' ? olderDocument() : document();
          const servers = [{ url: origin }];
          return { data: { openapi, info: { ...info, title: name }, servers, ...shared } };
        },
      }),
    },
  };
}

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
  ProjectStatus: { draft, published, archived, removed },
  ReportReason: reportReasons,
  ReportState: reportStates,
  Role: roles,
  ShownName: shownNames,
  Visibility: visibilities,
};
