import { isDeepStrictEqual } from 'node:util';
import { Invalid } from '#common/errors.ts';
import { one } from '#sql';
import type { Write } from '../../core/changes/transact.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import { findNameProblem } from '../../core/contributors/allowed-names.ts';
import {
  type ContributorNames,
  type FullContributor,
  type FullNames,
  fullContributorColumns,
  toContributorRow,
} from '../../core/contributors/contributor.ts';
import { formatContributorLine } from '../../core/contributors/contributor-line.ts';
import { contributorTable } from '../../core/contributors/tables.ts';
import { authorizeAny } from '../../core/viewer/permissions.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { startUpdate } from './contributor-updates.ts';

/** The full names, and who sees them. Omitted ones stay. */
export type NewNames = Partial<ContributorNames & Pick<FullNames, 'shown_name'>>;

/** Changes the viewer's names and who sees them. Call `finishUpdates` afterwards. */
export async function renameContributor(
  write: WriteContext,
  names: Omit<NewNames, 'username'>,
): Promise<FullContributor> {
  const { viewer } = write;
  authorizeAny(viewer, 'changeAccount');
  const id = requireSignedIn(viewer);
  const { after } = await changeNames(write, id, names, viewer.isModerator);
  return after;
}

/** `isModerator` is about the person with the id. Call `finishUpdates` afterwards. */
export async function changeNames(
  { transaction, changeSet }: Write,
  id: number,
  names: NewNames,
  isModerator: boolean,
): Promise<{ before: FullContributor; after: FullContributor }> {
  const before = await one(transaction, fullContributorColumns)`from contributor
    where id = ${id} ${transaction.forUpdate}`;
  const {
    username = before.username,
    first_name = before.full_first_name,
    last_name = before.full_last_name,
    shown_name = before.shown_name,
  } = names;
  const full = { ...before, username, full_first_name: first_name, full_last_name: last_name, shown_name };
  const row = toContributorRow(full);
  const after = { ...full, first_name: row.first_name, last_name: row.last_name };
  if (isDeepStrictEqual(after, before)) return { before, after: before };
  const isRenamed = first_name !== before.full_first_name || last_name !== before.full_last_name;
  const problem =
    isRenamed && (await findNameProblem(transaction, { first_name, last_name }, { id, isModerator }));
  if (problem) throw new Invalid({ [names.first_name ? 'first_name' : 'last_name']: [problem] });
  await transaction.upsert(contributorTable, [row]);
  const record = formatContributorLine(after);
  changeSet.add({ kind: 'contributor', action: 'changed', subject: id, record, owner: id });
  await startUpdate(transaction, id, null);
  return { before, after };
}
