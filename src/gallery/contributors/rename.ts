import sql from 'sql-template-tag';
import { select } from '../../database/query.ts';
import { contributorTable } from '../../database/schema.ts';
import { Invalid } from '../../errors.ts';
import type { WriteContext } from '../changes/write.ts';
import { authorizeAny } from '../permissions.ts';
import { sortKey } from '../words.ts';
import { contributorColumns } from './columns.ts';
import { type Contributor, usernameKey } from './contributor.ts';
import { contributorLine } from './contributor-line.ts';
import { isReservedName, reservedNameMessage } from './look-alikes.ts';
import { startUpdate } from './updates.ts';

/** Changes the viewer's names; omitted ones stay. Call `finishUpdates` afterwards. */
export async function renameContributor(
  { transaction, changeSet, viewer }: WriteContext,
  names: Partial<Pick<Contributor, 'first_name' | 'last_name'>>,
): Promise<Contributor> {
  authorizeAny(viewer, 'changeAccount');
  const before = await transaction.first(
    select(
      contributorColumns,
      sql`from contributor where id = ${viewer.contributor} ${transaction.forUpdate}`,
    ),
  );
  if (!before) throw new Error(`there is no contributor ${viewer.contributor}`);
  const after = { ...before, ...names };
  if (after.first_name === before.first_name && after.last_name === before.last_name) return before;
  if (!viewer.isModerator && isReservedName(`${after.first_name} ${after.last_name}`))
    throw new Invalid({ [names.first_name ? 'first_name' : 'last_name']: [reservedNameMessage] });
  const { id, username, last_name } = after;
  await transaction.upsert(contributorTable, [
    { ...after, last_name_key: sortKey(last_name), username_key: usernameKey(username) },
  ]);
  const record = contributorLine.stringify(after);
  changeSet.add({ kind: 'contributor', action: 'changed', subject: id, record, owner: id });
  await startUpdate(transaction, changeSet, id, null);
  return after;
}
