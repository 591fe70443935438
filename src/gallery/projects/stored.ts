// A project's row, as writes read it and leave it.

import { projectTable } from '../../database/schema.ts';
import { formatLine } from '../dump/line.ts';
import type { Project } from './project.ts';
import { inTrash } from './visible.ts';

/** The contributor's names, which a record shows. */
export type Person = Pick<Project, 'username' | 'first_name' | 'last_name'>;

export interface Stored extends Omit<Project, keyof Person | 'status'> {
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

export const storedColumns = Object.keys(projectTable.columns) as (keyof Stored)[];

/** In the listings of visitors. */
export const isListed = (project: Stored | undefined): boolean =>
  project?.visibility === 'public' && project.status === 1 && project.veil === 0;

export const tagsOf = ({ tags }: Pick<Project, 'tags'>): string[] => (tags === '' ? [] : tags.split(', '));

/** The row as a line of a dump. */
export function lineOf(stored: Stored): string {
  const status = (stored.trashed_status ?? stored.status) as Project['status'];
  return formatLine({
    ...stored,
    ...{ type: 'project', status, tags: tagsOf(stored) },
    parent: stored.parent ?? undefined,
    link: stored.link ?? undefined,
    trashed: stored.status === inTrash ? (stored.trashed ?? undefined) : undefined,
  });
}
