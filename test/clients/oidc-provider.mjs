// The sign-in service of others, with its own pages for signing in. Prints its address.

import { createServer } from 'node:http';
import { Provider } from 'oidc-provider';

const [callback] = process.argv.slice(2);
const server = createServer();
server.listen(0, '127.0.0.1', () => {
  const issuer = `http://127.0.0.1:${server.address().port}`;
  const provider = new Provider(issuer, {
    clients: [{ client_id: 'gallery', client_secret: 'of the gallery', redirect_uris: [callback] }],
    claims: { openid: ['sub'], profile: ['preferred_username', 'given_name', 'family_name'] },
    findAccount: (_, id) => ({
      accountId: id,
      claims: () => ({ sub: id, preferred_username: `${id}@school.example`, given_name: 'Noor' }),
    }),
    cookies: { keys: ['of the test'] },
  });
  server.on('request', provider.callback());
  process.stdout.write(`${issuer}\n`);
});
