// The findings of `vitrine doctor` in either database.

import fs from 'node:fs';
import { findSharedPaths } from '../../common/src/private-files.ts';
import { integer } from './columns.ts';
import type { Reader } from './database.ts';
import { countMigrations } from './migrate.ts';
import type { Dialect, Schema } from './migration.ts';
import { planMigrations } from './migration-plan.ts';
import { first } from './query.ts';

export interface Finding {
  readonly problem: string;
  /** The advice to the operator. */
  readonly advice: string;
}

export interface Inspection {
  readonly facts: readonly string[];
  readonly findings: readonly Finding[];
  /** What the next start will do to the database. */
  readonly plan?: readonly string[];
}

export interface InspectedSettings {
  readonly schema: Schema;
  readonly replicas: readonly string[];
  /** Empty: each server counts limits by itself. */
  readonly redis: string;
  /** More of the content, of a database with the schema of this version. */
  inspectMore?(reader: Reader): Promise<Inspection>;
}

const maxClockDifferenceMs = 5000;

export const formatMegabytes = (bytes: number) => `${Math.ceil(bytes / 1_000_000).toLocaleString('en')} MB`;

/** The schema, and the time of the newest change, which `nowMs` should not be before. */
export async function inspectGallery(
  reader: Reader,
  dialect: Dialect,
  nowMs: number,
  inspectMore?: InspectedSettings['inspectMore'],
): Promise<Inspection> {
  const findings: Finding[] = [];
  const { applied, known } = await countMigrations(reader, dialect);
  if (applied > known)
    findings.push({
      problem: `The database has schema ${applied}, this version of ${dialect.schema.program} knows up to ${known}.`,
      advice: 'Start a newer version.',
    });
  if (applied < known)
    findings.push({
      problem: `The database has schema ${applied}, this version of ${dialect.schema.program} has ${known}.`,
      advice: 'Make a backup. The next start of the server migrates it: see vitrine migrate --plan.',
    });
  const newest = await first(reader, { at: integer() })`from change order by sequence desc limit 1`;
  const aheadMs = (newest?.at ?? 0) / 1000 - nowMs;
  if (aheadMs > maxClockDifferenceMs)
    findings.push({
      problem: `The newest change is ${Math.round(aheadMs / 1000)} seconds in the future: a clock is or was wrong.`,
      advice: 'Let the machines take their time from a time server (chrony, systemd-timesyncd).',
    });
  const more = applied === known ? await inspectMore?.(reader) : undefined;
  findings.push(...(more?.findings ?? []));
  return {
    facts: [`schema ${applied}`, ...(more?.facts ?? [])],
    findings,
    plan: await planMigrations(reader, dialect),
  };
}

/** Whether this user may use a file or folder in this way and, if it shall be private, nobody else: `privateMode` is for chmod. */
export function inspectAccess(path: string, access: number, privateMode?: string): Finding[] {
  const findings: Finding[] = [];
  try {
    fs.accessSync(path, access);
  } catch {
    findings.push({
      problem: `This user may not read and write ${path}.`,
      advice: 'Run this command as the user of the server; if it is that user, change the owner with chown.',
    });
  }
  if (privateMode !== undefined && findSharedPaths([path]).length > 0)
    findings.push({
      problem: `Other users of this machine may open ${path}.`,
      advice: `Run vitrine check --repair, or chmod ${privateMode}.`,
    });
  return findings;
}

/** Whether the disk of a folder has this many free bytes. */
export function inspectDisk(folder: string, neededBytes: number): Inspection {
  const { blocks, bavail, bsize } = fs.statfsSync(folder);
  // Some network file systems report no size at all.
  if (blocks === 0) return { facts: [], findings: [] };
  const free = bavail * bsize;
  const facts = [`${formatMegabytes(free)} free`];
  if (free >= neededBytes) return { facts, findings: [] };
  const problem = `The disk of ${folder} has ${formatMegabytes(free)} free, less than ${formatMegabytes(neededBytes)}.`;
  return { facts, findings: [{ problem, advice: 'Make room, or use a larger disk.' }] };
}

export const mergeInspections = (inspections: readonly Inspection[]): Inspection => ({
  facts: inspections.flatMap(({ facts }) => facts),
  findings: inspections.flatMap(({ findings }) => findings),
  plan: inspections.find(({ plan }) => plan)?.plan,
});
