import type { ProjectRow } from './columns.ts';
import { published } from './status.ts';

/** Whether the project is in the listings that visitors get. */
export const isListed = (project: Pick<ProjectRow, 'visibility' | 'status' | 'veil'> | undefined): boolean =>
  project?.visibility === 'public' && project.status === published && project.veil === 0;
