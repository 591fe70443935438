// A project's row, as writes read it and leave it.

import { projectTable } from '../../database/schema.ts';
import { formatLine } from '../dump/line.ts';
import type { Project } from './project.ts';
import { inTrash } from './visibility.ts';

/** The contributor's names, which a record shows. */
export type ContributorNames = Pick<Project, 'username' | 'first_name' | 'last_name'>;

export interface ProjectRow extends Omit<Project, keyof ContributorNames | 'status'> {
  /** One of a project's, or `inTrash`. */
  status: number;
  title_key: string;
  last_name_key: string;
  opening_rating_count: number;
  opening_rating_sum: number;
  opening_karma: number;
  earned: number;
  root: number | null;
  veil: number;
  trashed: number | null;
  trashed_by: number | null;
  trashed_status: number | null;
}

export const projectColumns = Object.keys(projectTable.columns) as (keyof ProjectRow)[];

/** In the listings of visitors. */
export const isListed = (project: ProjectRow | undefined): boolean =>
  project?.visibility === 'public' && project.status === 1 && project.veil === 0;

export const parseTags = ({ tags }: Pick<Project, 'tags'>): string[] => (tags === '' ? [] : tags.split(', '));

/** The row as a line of a dump. */
export function formatProjectLine(row: ProjectRow): string {
  const status = (row.trashed_status ?? row.status) as Project['status'];
  return formatLine({
    ...row,
    ...{ type: 'project', status, tags: parseTags(row) },
    parent: row.parent ?? undefined,
    link: row.link ?? undefined,
    trashed: row.status === inTrash ? (row.trashed ?? undefined) : undefined,
  });
}
