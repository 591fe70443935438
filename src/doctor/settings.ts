// Settings that are allowed one by one but do not fit together.

import { existsSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import { reasonOf } from '../common/errors.ts';
import { isServed } from '../common/networks.ts';
import type { Finding, Inspection } from '../database/inspection.ts';
import { type MailSettings, Sender, sendsMail } from '../mail/transport.ts';
import type { Settings } from '../settings/settings.ts';

/** Connects to the SMTP server and signs in. */
export async function inspectMail(settings: MailSettings): Promise<Inspection> {
  const { smtp, mailFrom } = settings;
  if (!sendsMail(settings) || smtp === undefined) return { facts: [], findings: [] };
  const sender = new Sender(smtp, mailFrom);
  try {
    await sender.verify();
    return { facts: [`the SMTP server takes mails from ${mailFrom}`], findings: [] };
  } catch (error) {
    const problem = `Mails cannot be sent: ${reasonOf(error)}.`;
    return { facts: [], findings: [{ problem, advice: 'Check --smtp, and try it with vitrine mail-test.' }] };
  } finally {
    sender.close();
  }
}

type CheckedSettings = Settings<
  | 'host'
  | 'allowedHosts'
  | 'smtp'
  | 'publicUrl'
  | 'trustedProxies'
  | 'hsts'
  | 'backupTo'
  | 'database'
  | 'readLimit'
>;

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|::1|\[::1\])$/.test(host);
const isLocalName = (host: string) => isLoopback(host) || /^\.?localhost$/.test(host);

export function inspectSettings(settings: CheckedSettings): Finding[] {
  const { host, allowedHosts, trustedProxies, hsts, smtp, publicUrl } = settings;
  const findings: Finding[] = [];
  const add = (problem: string, advice: string) => findings.push({ problem, advice });
  if (!isLoopback(host) && allowedHosts.every(isLocalName))
    add(
      `The server listens on ${host}, but serves only this machine's own names: others get 400.`,
      'Name the host of the site with --allowed-host.',
    );
  if (allowedHosts.includes('*'))
    add(
      'Every host name is allowed: links in responses name the host that a client sends.',
      'Name the hosts of the site with --allowed-host.',
    );
  if (isLoopback(host) && !allowedHosts.every(isLocalName) && trustedProxies.length === 0)
    add(
      'Requests for the site come through a proxy that is not trusted: all people share one address and its limits, and links begin with http.',
      'Name the proxy with --trusted-proxy, such as 127.0.0.1.',
    );
  if (trustedProxies.some((network) => /\/0$/.test(network)))
    add(
      'Every address is a trusted proxy: clients can choose the address by which limits count.',
      'Name only the addresses of your proxies with --trusted-proxy.',
    );
  if (hsts > 0 && trustedProxies.length === 0)
    add(
      '--hsts is never sent, because without a trusted proxy no request counts as https.',
      'Name the proxy that is responsible for TLS with --trusted-proxy.',
    );
  if (settings.readLimit === undefined && !isLoopback(host))
    add('Requests are not limited: one program can keep the server busy.', 'Set --read-limit.');
  if (smtp !== undefined && publicUrl !== '' && !isServed(new URL(publicUrl).hostname, allowedHosts))
    add(
      `Links in mails begin with ${publicUrl}, but the server does not serve that host.`,
      'Name the host with --allowed-host, or correct --public-url.',
    );
  if (isOnDiskOf(settings.backupTo, settings.database))
    add(
      `The backups in ${settings.backupTo} are on the disk of the database: one failure takes both.`,
      'Make them on another disk or in a bucket, with --backup-to.',
    );
  return findings;
}

function isOnDiskOf(folder: string, database: string): boolean {
  const other = dirname(database);
  return (
    folder !== '' && existsSync(folder) && existsSync(other) && statSync(folder).dev === statSync(other).dev
  );
}
