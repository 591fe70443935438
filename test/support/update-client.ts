// Renews the generated types of clients/typescript: `npm run update:client`, after `npm run update:openapi`.

import { clientTypesPath, generateClientTypes } from './client-types.ts';

await Bun.write(clientTypesPath, await generateClientTypes());
