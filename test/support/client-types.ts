// The types of clients/typescript, generated from the committed copy of the OpenAPI document.

import { join } from 'node:path';
import { copyPath } from './openapi-copy.ts';

const root = join(import.meta.dir, '../..');
export const clientTypesPath = join(root, 'clients/typescript/src/schema.ts');

const notice = '// Generated from test/api/openapi.json by `npm run update:client`.\n';

/** The headers of responses are components that the copy does not have, and the client needs no types for them. */
export async function generateClientTypes(): Promise<string> {
  const copy = JSON.parse(await Bun.file(copyPath).text(), (name, value) =>
    name === 'headers' ? undefined : value,
  );
  const document = { openapi: '3.1.1', info: { title: 'Vitrine', version: 'v1' }, ...copy };
  const generator = join(root, 'test/clients/node_modules/.bin/openapi-typescript');
  const types = await Bun.$`${process.execPath} ${generator} < ${new Response(JSON.stringify(document))}`
    .cwd(join(root, 'test/clients'))
    .quiet()
    .text();
  return notice + types;
}
