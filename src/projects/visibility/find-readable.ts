// The project that a request names, if the viewer may open it.

import sql, { join, type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import { type Reader, repeated, select } from '#sql';
import { anonymous, type Viewer } from '../../core/viewer/viewer.ts';
import { type Project, shownColumns } from '../project.ts';
import { type ProjectAddress, readableAt } from './visible-to.ts';

const from = (conditions: readonly Sql[]) => sql`from project where ${join([...conditions], ' and ')}`;

/** Most requests come from visitors: their queries are made once. */
const byId = repeated(shownColumns, 0, (id: number) => from([readableAt(anonymous, id)]));
const byUuid = repeated(shownColumns, '', (uuid: string) => from([readableAt(anonymous, { uuid })]));

/** Throws NotFound unless it meets the conditions too. */
export async function findReadable(
  reader: Reader,
  viewer: Viewer,
  address: ProjectAddress,
  conditions: readonly Sql[] = [],
): Promise<Project> {
  const isUsual = viewer === anonymous && conditions.length === 0;
  const usual = () => (typeof address === 'number' ? byId(address) : byUuid(address.uuid));
  const own = () => select(shownColumns, from([readableAt(viewer, address), ...conditions]));
  const project = await reader.first(isUsual ? usual() : own());
  if (!project) throw new NotFound();
  return project;
}
