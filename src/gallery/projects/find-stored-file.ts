// A file is as visible as its project: a request for its bytes must find a project that the viewer may see.

import sql from 'sql-template-tag';
import { integer, pick } from '../../database/columns.ts';
import type { Reader } from '../../database/open.ts';
import { select } from '../../database/query.ts';
import { NotFound } from '../../errors.ts';
import { mediaColumns } from '../media/find.ts';
import type { Media } from '../media/media.ts';
import { anonymous, type Viewer } from '../viewer.ts';
import { readableBy } from './visibility.ts';

const storedFileColumns = {
  ...pick(mediaColumns, 'type', 'name', 'bytes'),
  visitors: integer(sql`case when ${readableBy(anonymous)} then 1 else 0 end`),
};

export interface StoredFile extends Pick<Media, 'type' | 'name'> {
  readonly bytes: number;
  /** Visitors may read it. */
  readonly isPublic: boolean;
}

/** The file with these bytes, if the viewer may see a project that has it. */
export async function findStoredFile(reader: Reader, viewer: Viewer, hash: string): Promise<StoredFile> {
  const row = await reader.first(
    select(
      storedFileColumns,
      sql`from media_size
          join media on media.project = media_size.project and media.number = media_size.number
          join project on project.id = media_size.project
          where hash = ${hash} and ${readableBy(viewer)} order by visitors desc, project.id limit 1`,
    ),
  );
  if (!row) throw new NotFound();
  return { type: row.type, name: row.name, bytes: row.bytes, isPublic: row.visitors === 1 };
}
