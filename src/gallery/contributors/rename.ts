import { isDeepStrictEqual } from 'node:util';
import sql from 'sql-template-tag';
import { select } from '../../database/query.ts';
import { contributorTable } from '../../database/schema.ts';
import { Invalid } from '../../errors.ts';
import type { WriteContext } from '../changes/write.ts';
import { authorizeAny } from '../permissions.ts';
import type { Contributor, FullContributor, FullNames } from './contributor.ts';
import { formatContributorLine } from './contributor-line.ts';
import { isReservedName, reservedNameMessage } from './look-alikes.ts';
import { fullContributorColumns, toContributorRow } from './shown-name.ts';
import { startUpdate } from './updates.ts';

/** Changes the viewer's names and who sees them; omitted ones stay. Call `finishUpdates` afterwards. */
export async function renameContributor(
  { transaction, changeSet, viewer }: WriteContext,
  names: Partial<Pick<Contributor, 'first_name' | 'last_name'> & Pick<FullNames, 'shown_name'>>,
): Promise<FullContributor> {
  authorizeAny(viewer, 'changeAccount');
  const before = await transaction.first(
    select(
      fullContributorColumns,
      sql`from contributor where id = ${viewer.contributor} ${transaction.forUpdate}`,
    ),
  );
  if (!before) throw new Error(`there is no contributor ${viewer.contributor}`);
  const {
    first_name = before.full_first_name,
    last_name = before.full_last_name,
    shown_name = before.shown_name,
  } = names;
  const full = { ...before, full_first_name: first_name, full_last_name: last_name, shown_name };
  const row = toContributorRow(full);
  const after = { ...full, first_name: row.first_name, last_name: row.last_name };
  if (isDeepStrictEqual(after, before)) return before;
  const isRenamed = first_name !== before.full_first_name || last_name !== before.full_last_name;
  if (isRenamed && !viewer.isModerator && isReservedName(`${first_name} ${last_name}`))
    throw new Invalid({ [names.first_name ? 'first_name' : 'last_name']: [reservedNameMessage] });
  const { id } = after;
  await transaction.upsert(contributorTable, [row]);
  const record = formatContributorLine(after);
  changeSet.add({ kind: 'contributor', action: 'changed', subject: id, record, owner: id });
  await startUpdate(transaction, changeSet, id, null);
  return after;
}
