// Prints the JSON Schema of dumps: `bun test/support/print-dump-schema.ts > docs/dump.schema.json`, then `npm run format`.

import { dumpSchema } from '../../src/import-export/dump/import.ts';

console.log(JSON.stringify(dumpSchema, null, 2));
