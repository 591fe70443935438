// How much a contributor stores, and how much an account may store. Moderators have no quotas. A file counts for each
// project that has it, in all sizes, although the bytes are stored once: nobody's usage depends on others.

import { join, raw, type Sql } from 'sql-template-tag';
import { apiText } from '#common/api-text.ts';
import { QuotaExceeded } from '#common/errors.ts';
import { all, integer, pick, type Reader, type Table } from '#sql';
import { contributorUsageTable } from '../contributors/tables.ts';
import type { ChangeSet, Write } from './transact.ts';

/** Projects and comments together, those in the trash too; and the bytes of their files, of the avatar and of `countedBytes`. */
const resources = ['projects', 'file_bytes'] as const;
export type Resource = (typeof resources)[number];

/** Undefined for no limit. */
export type Quotas = Readonly<Record<Resource, number | undefined>>;
export type Usage = Readonly<Record<Resource, number>>;

const columns = {
  ...contributorUsageTable.columns,
  resource: contributorUsageTable.columns.resource.narrow<Resource>(),
};

export async function loadUsage(reader: Reader, contributor: number): Promise<Usage> {
  const rows = await all(reader, pick(columns, 'resource', 'count'))`from contributor_usage
    where contributor = ${contributor} and resource in (${join([...resources])})`;
  return {
    projects: 0,
    file_bytes: 0,
    ...Object.fromEntries(rows.map(({ resource, count }) => [resource, count])),
  };
}

/** Checks before files are stored. A transaction checks again: see `limitUsage`. */
export async function requireFileRoom(
  reader: Reader,
  { contributor, quotas }: { readonly contributor: number | null; readonly quotas?: Quotas },
  bytes: number,
): Promise<void> {
  const quota = quotas?.file_bytes;
  if (contributor === null || quota === undefined) return;
  const { file_bytes } = await loadUsage(reader, contributor);
  if (file_bytes + bytes > quota) throw createQuotaError('file_bytes', quota);
}

const megabyte = 1024 * 1024;

function createQuotaError(resource: Resource, quota: number): QuotaExceeded {
  return new QuotaExceeded(
    resource === 'projects'
      ? apiText('projectQuota', { quota })
      : apiText('fileQuota', { quota: quota / megabyte }),
  );
}

/** Makes the transaction fail if it leaves the contributor with more than the quotas, and with more than before. */
export function limitUsage({ counts }: ChangeSet, contributor: number, quotas: Quotas): void {
  for (const resource of resources) {
    const quota = quotas[resource];
    if (quota !== undefined)
      counts.limit(contributorUsageTable, { contributor, resource }, quota, () =>
        createQuotaError(resource, quota),
      );
  }
}

export const countBytes = (
  files: readonly { readonly sizes: readonly { readonly bytes: number }[] }[],
): number => files.flatMap(({ sizes }) => sizes).reduce((total, { bytes }) => total + bytes, 0);

/** Before rows of a table are deleted: whatever they took of the quotas is free again. Nobody else deletes them meanwhile. */
export async function uncountBytes(
  { transaction, changeSet }: Write,
  { name, countedBytes }: Pick<Table, 'name' | 'countedBytes'>,
  isDeleted: Sql,
): Promise<void> {
  if (countedBytes === undefined) return;
  const columns = { contributor: integer(), bytes: integer(raw(countedBytes)) };
  const counted = await all(
    transaction,
    columns,
  )`from ${raw(name)} where ${isDeleted} ${transaction.forUpdate}`;
  for (const { contributor, bytes } of counted) adjustFileUsage(changeSet, contributor, -bytes);
}

export function adjustFileUsage({ counts }: ChangeSet, contributor: number, difference: number): void {
  counts.add(contributorUsageTable, { contributor, resource: 'file_bytes' }, difference);
}
