// /offline/key.json: the key of what an account keeps on devices, and what else a script needs to send it. Only a browser in a
// session gets it: see docs/decisions/0128-unsent-projects.md.

import { createECDH } from 'node:crypto';
import { Forbidden } from '#common/errors.ts';
import { sign } from '#common/signature.ts';
import { prepareResponse } from '#rest/prepared-response.ts';
import { type PageContext, page } from '../../core/pages/page.ts';
import { getOrCreateSecret } from '../../core/server-secrets.ts';
import { initialVisibility } from '../../projects/pages/editing/project-form.tsx';

export const keyPath = '/offline/key.json';

async function sendKey({ database, layout, viewer }: PageContext) {
  const { csrfToken, name } = layout;
  if (csrfToken === undefined) throw new Forbidden();
  const secret = await getOrCreateSecret(database, 'unsent projects');
  const answer = {
    account: viewer.contributor,
    name,
    key: deriveKeyPair(sign(secret, 'unsent projects', Number(viewer.contributor))),
    csrfToken,
    visibility: initialVisibility(viewer, 'text'),
  };
  const headers = { 'Content-Type': 'application/json', 'Cache-Control': 'no-store' };
  return prepareResponse(200, headers, JSON.stringify(answer));
}

/** As browsers read it: the device keeps the public half. */
function deriveKeyPair(seed: string) {
  const pair = createECDH('prime256v1');
  const secret = Buffer.from(seed, 'base64url').subarray(0, 32);
  // Not above the order of the curve.
  secret[0] = (secret[0] ?? 0) & 0x7f;
  pair.setPrivateKey(secret);
  const point = pair.getPublicKey();
  const [x, y, d] = [point.subarray(1, 33), point.subarray(33), secret].map((part) =>
    part.toString('base64url'),
  );
  return { kty: 'EC', crv: 'P-256', x, y, d };
}

export const keyRoutes = [page(`${keyPath}/`, 'makeProject', sendKey)];
