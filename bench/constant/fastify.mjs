// Does the same as bun.ts with Fastify. The benchmark installs Fastify in a temporary folder: the second argument.

import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';

const fastify = createRequire(`${process.argv[3]}/`)('fastify');
const { body, headers } = JSON.parse(readFileSync(process.argv[2], 'utf8'));
const server = fastify();
server.get('/*', (_, reply) => reply.headers(headers).send(body));
const origin = await server.listen({ port: 0 });
console.log(`listening on ${new URL(origin).port}`);
