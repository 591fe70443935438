// Which files of copies are served: conditions for every query of files.

import sql, { raw } from 'sql-template-tag';
import { inTrash, removed } from './project-status.ts';

/** A file or one of its sizes, and the project that has it, in a query that names the tables so. */
const isAvailable = (media: string, size: string) =>
  raw(`(${media}.origin is null or exists (
    select 1 from project as source where source.id = ${media}.origin and source.status <> ${removed} and (
      source.contributor = (select copy.contributor from project as copy where copy.id = ${media}.project)
      or (source.status <> ${inTrash} and exists (
        select 1 from media_size as original where original.project = source.id and original.hash = ${size}.hash
      ))
    )
  ))`);

/**
 * False for a file of a copy if it was deleted from the project that it was uploaded to, or if that project is in the
 * trash, was deleted, or was removed by a moderator. Contributors keep the files in copies of their own projects, unless
 * a moderator removed them.
 */
export const isAvailableSql = isAvailable('media', 'media_size');

/** `media` is the alias of the table. */
export const hasAvailableSize = (media: string) =>
  sql`exists (select 1 from media_size as some_size where some_size.project = ${raw(media)}.project
    and some_size.number = ${raw(media)}.number and ${isAvailable(media, 'some_size')})`;
