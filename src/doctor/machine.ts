// The folder or bucket of files, the room for uploads, and the limits of the process.

import fs, { existsSync, readFileSync } from 'node:fs';
import { availableParallelism, tmpdir, totalmem } from 'node:os';
import { dirname } from 'node:path';
import { errorMessage, OperatorError } from '../common/errors.ts';
import { findSharedPaths } from '../common/private-files.ts';
import { type Finding, formatMegabytes, type Inspection, inspectDisk } from '../database/inspection.ts';
import { defaultFolder, openFileStore } from '../files/open.ts';
import type { Settings } from '../settings/settings.ts';

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
  const findings: Finding[] = [];
  if (!existsSync(place))
    throw new OperatorError(`The folder above the place for files ${folder} does not exist.`);
  try {
    fs.accessSync(place, fs.constants.R_OK | fs.constants.W_OK | fs.constants.X_OK);
  } catch {
    const advice =
      'Run this command as the user of the server; if it is that user, change the owner with chown.';
    findings.push({ problem: `This user may not read and write ${place}.`, advice });
  }
  if (place === folder && findSharedPaths([folder]).length > 0)
    findings.push({
      problem: `Other users of this machine may open ${folder}.`,
      advice: 'Run vitrine check --repair, or chmod 700.',
    });
  const disk = inspectDisk(place, minFreeBytes);
  return { facts: disk.facts, findings: [...findings, ...disk.findings] };
}

export function inspectMachine({ uploadLimit }: Settings<'uploadLimit'>): Inspection {
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
  const uploads = inspectDisk(tmpdir(), maxUploads * uploadLimit * 1_000_000);
  return { facts, findings: [...findings, ...uploads.findings] };
}

/** Linux tells it; elsewhere it is not known. */
function readOpenFilesLimit(): number {
  if (!existsSync('/proc/self/limits')) return Number.POSITIVE_INFINITY;
  const [, limit] = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
  return limit === undefined ? Number.POSITIVE_INFINITY : Number(limit);
}
