// /api/v1/schema/: the API's OpenAPI document.

import { z } from 'zod';
import { choiceText } from '#common/inputs.ts';
import { mapValues } from '#common/json.ts';
import { toComplete } from '#rest/openapi/complete.ts';
import type { OpenApiDocument, OpenApiParameter } from '#rest/openapi/document.ts';
import type { NamedChoices } from '#rest/openapi/openapi.ts';
import { toOpenApi30 } from '#rest/openapi/openapi-3-0.ts';
import { hostnameOf } from '#rest/request-url.ts';
import { type Database, first, pick } from '#sql';
import { type ApiResource, operation } from '../core/api/operation.ts';
import { feedKinds, notificationKinds } from '../core/changes/change-kinds.ts';
import { contentTypes } from '../core/content-types.ts';
import { shownNames } from '../core/contributors/contributor.ts';
import { decisionActions } from '../core/decisions/actions.ts';
import { once } from '../core/feature.ts';
import { mediaTypes } from '../core/files/stored-files.ts';
import { archived, draft, published, removed, waiting } from '../core/project-status.ts';
import { loadSite } from '../core/site/site-settings.ts';
import { roles } from '../core/viewer/viewer.ts';
import { histories, visibilities } from '../projects/project.ts';
import { projectTable } from '../projects/tables.ts';
import { isListedSql } from '../projects/visibility/visible-to.ts';

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

const ownChoices = {
  ChangeKind: feedKinds,
  ContentType: contentTypes,
  get DecisionAction() {
    return decisionActions();
  },
  FileType: Object.keys(mediaTypes),
  HistoryVisibility: histories,
  ProjectStatus: { draft, published, archived, removed, waiting },
  Role: roles,
  ShownName: shownNames,
  Visibility: visibilities,
};

declare module '../core/feature.ts' {
  interface Feature {
    /** Choices with a name in the OpenAPI document. */
    readonly choices?: Readonly<Record<string, readonly string[]>>;
  }
}

export const listChoices = once((features): Readonly<Record<string, NamedChoices>> => {
  const added = features.flatMap(({ choices = {} }) => Object.entries(choices));
  const all: [string, NamedChoices][] = [
    ...Object.entries(ownChoices),
    ['NotificationKind', notificationKinds()],
    ...added,
  ];
  return Object.fromEntries(all.toSorted(([one], [other]) => (one < other ? -1 : 1)));
});
