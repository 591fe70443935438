import type { ContributorNames } from '../contributors/contributor.ts';
import type { ProjectRow } from './columns.ts';
import type { Project } from './project.ts';
import { published } from './status.ts';

/** Whether the project is in the listings that visitors get. */
export const isListed = (project: Pick<ProjectRow, 'visibility' | 'status' | 'veil'> | undefined): boolean =>
  project?.visibility === 'public' && project.status === published && project.veil === 0;

export const toProject = (row: ProjectRow, names: ContributorNames): Project => ({
  ...row,
  ...names,
  status: row.status as Project['status'],
});
