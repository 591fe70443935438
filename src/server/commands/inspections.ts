// The inspections of `vitrine doctor` beside those of the database: the files, the machine, mails, and settings that do not fit
// together.

import { constants, existsSync, readFileSync, statSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { errorMessage, OperatorError } from '#common/errors.ts';
import { isServed } from '#common/networks.ts';
import { findRedisProblem } from '#common/shared-limits.ts';
import { type Finding, formatMegabytes, type Inspection, inspectAccess, inspectDisk } from '#sql/open';
import { defaultFolder, openFileStore } from '../../core/files/open-store.ts';
import type { Settings } from '../../core/settings/settings.ts';

const minFreeBytes = 500_000_000;
/** So many uploads are received at a time. */
const maxUploads = 64;
const minOpenFiles = 4096;
/** A picture of 50 megapixels needs 450 MB. */
const minMemory = 1_000_000_000;

export async function inspectFiles({ files, database }: Settings<'files' | 'database'>): Promise<Inspection> {
  if (!files.startsWith('s3://')) return inspectFolder(files || defaultFolder(database));
  try {
    await openFileStore(files);
    return { facts: ['in a bucket'], findings: [] };
  } catch (error) {
    if (!(error instanceof OperatorError)) throw error;
    const advice = 'Check the address, the key in the environment, and the network.';
    return { facts: [], findings: [{ problem: errorMessage(error), advice }] };
  }
}

function inspectFolder(folder: string): Inspection {
  const place = existsSync(folder) ? folder : dirname(folder);
  if (!existsSync(place))
    throw new OperatorError(`The folder above the place for files ${folder} does not exist.`);
  const access = constants.R_OK | constants.W_OK | constants.X_OK;
  const findings = inspectAccess(place, access, place === folder ? '700' : undefined);
  const disk = inspectDisk(place, minFreeBytes);
  return { facts: disk.facts, findings: [...findings, ...disk.findings] };
}

export function inspectMachine({
  uploadLimit,
  workers,
  reusePort,
}: Settings<'uploadLimit' | 'workers' | 'reusePort'>): Inspection {
  const memory = Math.min(totalmem(), process.constrainedMemory() || Number.POSITIVE_INFINITY);
  const facts = [`${availableParallelism()} processors`, `${formatMegabytes(memory)} of memory`];
  const findings: Finding[] = [];
  if (memory < minMemory)
    findings.push({
      problem: `The process may use ${formatMegabytes(memory)} of memory, and one large picture needs 450 MB.`,
      advice: 'Give it 1 GB or more.',
    });
  const openFiles = readOpenFilesLimit();
  if (openFiles < minOpenFiles)
    findings.push({
      problem: `The process may open ${openFiles} files: each connection and each upload needs one.`,
      advice: 'Raise the limit: LimitNOFILE=65536 in a systemd unit, or ulimit -n 65536.',
    });
  if ((reusePort || workers > 1) && !movesConnections())
    findings.push({
      problem:
        'A process that ends while others share its port resets connections that it has not taken yet.',
      advice: 'Set net.ipv4.tcp_migrate_req to 1: see deploy/systemd/90-vitrine.conf.',
    });
  const uploads = inspectDisk(tmpdir(), maxUploads * uploadLimit * 1_000_000);
  return { facts, findings: [...findings, ...uploads.findings] };
}

/** Linux tells it; elsewhere it is not known. */
function readOpenFilesLimit(): number {
  if (!existsSync('/proc/self/limits')) return Number.POSITIVE_INFINITY;
  const [, limit] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}

/** Linux hands connections that wait for a socket that closes to another one, if it is told to. */
function movesConnections(): boolean {
  const setting = '/proc/sys/net/ipv4/tcp_migrate_req';
  return !existsSync(setting) || readFileSync(setting, 'utf8').trim() !== '0';
}

export async function inspectRedis({ redis }: Settings<'redis'>): Promise<Inspection> {
  const problem = await findRedisProblem(redis);
  if (problem === undefined) return { facts: ['counts the limits of all servers'], findings: [] };
  const advice = 'Check --redis and the server: until then each server counts by itself.';
  return { facts: [], findings: [{ problem: `Redis cannot be used: ${problem}.`, advice }] };
}

type CheckedSettings = Settings<
  | 'host'
  | 'allowedHosts'
  | 'smtp'
  | 'publicUrl'
  | 'only'
  | 'trustedProxies'
  | 'hsts'
  | 'backupTo'
  | 'database'
  | 'readLimit'
>;

const isLoopback = (host: string) => /^(localhost|127\.[\d.]+|::1|\[::1\])$/.test(host);
const isLocalName = (host: string) => isLoopback(host) || /^\.?localhost$/.test(host);

export function inspectSettings(settings: CheckedSettings): Finding[] {
  const { host, allowedHosts, trustedProxies, hsts, smtp, publicUrl, only } = settings;
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
  if (
    smtp !== undefined &&
    publicUrl !== '' &&
    only === '' &&
    !isServed(new URL(publicUrl).hostname, allowedHosts)
  )
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
