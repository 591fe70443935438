import type { ContributorNames } from '../contributors/contributor.ts';
import type { ProjectRow } from './columns.ts';
import type { Project } from './project.ts';

export const toProject = (row: ProjectRow, names: ContributorNames): Project => ({
  ...row,
  ...names,
  status: row.status as Project['status'],
});
