import { projectPath } from '../../core/paths.ts';
import type { Project } from '../../projects/project.ts';

/** A page of a collection, or one that puts a project into collections. */
export const collectionPath = (
  project: Pick<Project, 'uuid' | 'slug'>,
  page: 'arrange' | 'offer' | 'people' | 'labels' | 'collect' | 'withdraw',
): string => `${projectPath(project)}${page}/`;
