// Signatures of Standard Webhooks (www.standardwebhooks.com).

import { createHmac } from 'node:crypto';
import type { Instant } from '../gallery/instant.ts';
import type { Webhook } from '../gallery/webhooks/webhook.ts';

type Secrets = Pick<Webhook, 'secret' | 'previous_secret' | 'previous_secret_until'>;

/** The headers of an event. After a change of the secret there are two signatures. */
export function signEvent(secrets: Secrets, id: string, at: Instant, body: string): Record<string, string> {
  const seconds = String(Math.floor(at / 1_000_000));
  const signatures = findSecrets(secrets, at).map((secret) => {
    const key = Buffer.from(secret.slice(secret.indexOf('_') + 1), 'base64');
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`;
  });
  return { 'webhook-id': id, 'webhook-timestamp': seconds, 'webhook-signature': signatures.join(' ') };
}

function findSecrets({ secret, previous_secret, previous_secret_until }: Secrets, at: Instant): string[] {
  const isOverlap = previous_secret !== null && (previous_secret_until ?? 0) > at;
  return isOverlap ? [secret, previous_secret] : [secret];
}
