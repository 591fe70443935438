// Writes the OpenAPI document in both versions into a folder, for a linter: `bun test/support/write-openapi.ts FOLDER`.

import { siteOn } from './site.ts';

const site = await siteOn('SQLite');
const [, , folder = '.'] = process.argv;
for (const version of ['3.0', '3.1']) {
  const document = await site.json(`/api/v1/schema/?openapi=${version}`);
  await Bun.write(`${folder}/openapi-${version}.json`, JSON.stringify(document, null, 2));
}
await site.close();
