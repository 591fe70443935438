// Renews the committed copy of the OpenAPI document: `npm run update:openapi`. A change that breaks programs is refused,
// unless `--breaking` allows it.

import { findBreakingChanges } from './openapi-changes.ts';
import { copyPath, formatCopy, loadDocument, readCopy } from './openapi-copy.ts';

const document = await loadDocument();
const changes = findBreakingChanges(await readCopy(), document);
if (changes.length && !process.argv.includes('--breaking')) {
  console.error('This breaks programs that use the API. To break them anyway, add --breaking.');
  for (const change of changes) console.error(`- ${change}`);
  process.exit(1);
}
await Bun.write(copyPath, formatCopy(document));
