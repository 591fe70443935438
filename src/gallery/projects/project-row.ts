// A row of the table `project`, as writes load and save it.

import { projectTable } from '../../database/schema.ts';
import type { ContributorNames } from '../contributors/contributor.ts';
import type { Project } from './project.ts';
import { published } from './status.ts';

export interface ProjectRow extends Omit<Project, keyof ContributorNames | 'status'> {
  /** A `Status`, or `inTrash`. */
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

/** Whether the project is in the listings that visitors get. */
export const isListed = (project: Pick<ProjectRow, 'visibility' | 'status' | 'veil'> | undefined): boolean =>
  project?.visibility === 'public' && project.status === published && project.veil === 0;
