// A file is as visible as its project: a request for its bytes must find a project that the viewer may see.

import sql from 'sql-template-tag';
import { integer, pick } from '../../../database/columns.ts';
import type { Reader } from '../../../database/database.ts';
import { first } from '../../../database/query.ts';
import { isAvailableSql } from '../../availability.ts';
import { mediaColumns } from '../../media/find.ts';
import type { Openness, ServedFile } from '../../media/media.ts';
import { anonymous, type Viewer } from '../../viewer.ts';
import { readableBy } from '../visibility.ts';

const servedFileColumns = {
  ...pick(mediaColumns, 'type', 'name', 'bytes'),
  openness: integer(
    sql`case when not (${readableBy(anonymous)}) then 0 when visibility = 'unlisted' then 1 else 2 end`,
  ),
};

const opennessByRank: readonly Openness[] = ['hidden', 'unlisted', 'public'];

/** The file with these bytes, if the viewer may see a project that has it. */
export async function findServedFile(
  reader: Reader,
  viewer: Viewer,
  hash: string,
): Promise<ServedFile | undefined> {
  const row = await first(reader, servedFileColumns)`from media_size
    join media on media.project = media_size.project and media.number = media_size.number
    join project on project.id = media_size.project
    where hash = ${hash} and ${isAvailableSql} and ${readableBy(viewer)}
    order by openness desc, project.id limit 1`;
  if (!row) return undefined;
  const { type, name, bytes, openness } = row;
  return { type, name, bytes, openness: opennessByRank[openness] ?? 'hidden' };
}
