// Prints the OpenAPI document, for a linter: `bun test/support/print-openapi.ts`.

import { siteOn } from './site.ts';

const site = await siteOn('SQLite');
console.log(JSON.stringify(await site.json('/api/v1/schema/'), null, 2));
await site.close();
