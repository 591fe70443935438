// The committed copy of the OpenAPI document, without its texts: test/api/openapi.json. It has a line for each path and each
// component, so that a difference is easy to read.

import { join } from 'node:path';
import type { Document } from './openapi.ts';
import { siteOn } from './site.ts';

export const copyPath = join(import.meta.dir, '../api/openapi.json');

export async function loadDocument(): Promise<Document> {
  const site = await siteOn('SQLite');
  const document = (await site.json('/api/v1/schema/')) as Document;
  await site.close();
  return document;
}

export const readCopy = async (): Promise<Document> => Bun.file(copyPath).json();

export function formatCopy({ security, paths, components }: Document): string {
  const { schemas, responses, securitySchemes } = components;
  const parts = Object.entries({ schemas, responses, securitySchemes }).map(
    ([name, members]) => `"${name}":${formatLines(members)}`,
  );
  return `{"security":${toJson(security)},\n"paths":${formatLines(paths)},\n"components":{${parts.join(',\n')}}}\n`;
}

function formatLines(members: object): string {
  const lines = Object.entries(members).map(([name, value]) => `${toJson(name)}:${toJson(value)}`);
  return `{\n${lines.join(',\n')}\n}`;
}

/** A member of a schema may have the same name as a text; its value is an object. */
const toJson = (value: unknown) =>
  JSON.stringify(value, (name, member) =>
    /^(title|description|summary|examples)$/.test(name) &&
    (typeof member === 'string' || Array.isArray(member))
      ? undefined
      : member,
  );
