// Prints the JSON Schema of dumps: `bun test/support/print-dump-schema.ts > docs/dump.schema.json`, then `npm run format`.

import '../../src/features/index.ts';
import { loadDumpSchema } from '../../src/features/export-import/import.ts';

console.log(JSON.stringify(await loadDumpSchema(), null, 2));
