// No change of the OpenAPI document breaks the programs that were written or generated for the committed copy of it.

import { beforeAll, expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import type { Document } from '../support/openapi.ts';
import { findBreakingChanges } from '../support/openapi-changes.ts';
import { copyPath, formatCopy, loadDocument, readCopy } from '../support/openapi-copy.ts';

let copy: Document;
beforeAll(async () => {
  copy = await readCopy();
});

test('the document breaks nothing that its copy promised, and the copy has all that is new', async () => {
  const document = await loadDocument();

  expect(findBreakingChanges(copy, document)).toEqual([]);
  const isCurrent = formatCopy(document) === readFileSync(copyPath, 'utf8');
  expect(
    isCurrent ? '' : 'The document has more than test/api/openapi.json: run npm run update:openapi',
  ).toBe('');
});

// biome-ignore lint/suspicious/noExplicitAny: tests cut any part out of a document.
type Editable = any;

const list = '/api/v1/projects/';
const item = '/api/v1/projects/{id}/';
const named = (document: Editable, name: string) => document.components.schemas[name];
const parameterOf = (operation: Editable, name: string) =>
  operation.parameters.find((parameter: Editable) => parameter.name === name);
const without = (values: unknown[], value: unknown) => values.filter((other) => other !== value);

const breaking: [sentence: string, change: (document: Editable) => void][] = [
  [`PATCH ${item} is gone.`, ({ paths }) => delete paths[item].patch],
  [
    `GET ${list} is named projectsList, and was listProjects.`,
    ({ paths }) => {
      paths[list].get.operationId = 'projectsList';
    },
  ],
  [
    `GET ${list} needs credentials now.`,
    ({ paths }) => {
      paths[list].get.security = [{ bearer: [] }];
    },
  ],
  [
    `GET ${list} has no query parameter search any more.`,
    ({ paths: { [list]: path } }) => {
      path.get.parameters = without(path.get.parameters, parameterOf(path.get, 'search'));
    },
  ],
  [
    `GET ${list} needs the query parameter search now.`,
    ({ paths }) => {
      parameterOf(paths[list].get, 'search').required = true;
    },
  ],
  [
    `GET ${list}, query parameter page_size has the maximum 50 now.`,
    ({ paths }) => {
      parameterOf(paths[list].get, 'page_size').schema.maximum = 50;
    },
  ],
  [
    `GET ${item}, path parameter id is string, and was integer.`,
    ({ paths }) => {
      paths[item].parameters[0].schema.type = 'string';
    },
  ],
  [
    'CreateProjectRequest.text is needed now.',
    (document) => named(document, 'CreateProjectRequest').required.push('text'),
  ],
  [
    'CreateProjectRequest.link cannot be null any more.',
    (document) => {
      named(document, 'CreateProjectRequest').properties.link.type = 'string';
    },
  ],
  [
    'Visibility cannot be unlisted any more.',
    (document) => {
      named(document, 'Visibility').enum = without(named(document, 'Visibility').enum, 'unlisted');
    },
  ],
  ['Project.karma is gone.', (document) => delete named(document, 'Project').properties.karma],
  [
    'Project.karma can be missing now.',
    (document) => {
      named(document, 'Project').required = without(named(document, 'Project').required, 'karma');
    },
  ],
  [
    'Project.title can be null now.',
    (document) => {
      named(document, 'Project').properties.title = { anyOf: [{ type: 'string' }, { type: 'null' }] };
    },
  ],
  ['The type Media is gone.', (document) => delete document.components.schemas.Media],
  [
    `POST ${list}, 201 has no header Location any more.`,
    ({ paths }) => delete paths[list].post.responses[201].headers.Location,
  ],
  [
    `GET ${item}, 200 is no application/json any more.`,
    ({ paths }) => {
      paths[item].get.responses[200].content = {};
    },
  ],
];

test.each(breaking)('a change that breaks programs is found: %s', (sentence, change) => {
  const changed = structuredClone(copy);
  change(changed);

  expect(findBreakingChanges(copy, changed)).toContain(sentence);
});

test('what is added breaks nothing', () => {
  const grown: Editable = structuredClone(copy);
  grown.paths['/api/v1/news/'] = grown.paths[list];
  grown.paths[list].get.parameters.push({ name: 'colour', in: 'query', schema: { type: 'string' } });
  named(grown, 'CreateProjectRequest').properties.colour = { type: 'string' };
  named(grown, 'Project').properties.colour = { type: 'string' };
  named(grown, 'Project').required.push('colour');
  named(grown, 'Visibility').enum.push('friends');
  grown.components.schemas.Colour = { type: 'string' };

  expect(findBreakingChanges(copy, grown)).toEqual([]);
});
