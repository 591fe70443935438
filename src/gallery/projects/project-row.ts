import type { ContributorNames } from '../contributors/contributor.ts';
import { toStatus } from '../project-status.ts';
import type { ProjectRow } from './columns.ts';
import type { Project } from './project.ts';

export const toProject = (row: ProjectRow, names: ContributorNames): Project => ({
  ...row,
  ...names,
  status: toStatus(row),
});
