// Does the same as bun.ts with node:http.

import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { body, headers } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const length = Buffer.byteLength(body);
const server = createServer((_, response) => {
  response.writeHead(200, { ...headers, 'content-length': length });
  response.end(body);
});
server.listen(0, () => console.log(`listening on ${server.address().port}`));
