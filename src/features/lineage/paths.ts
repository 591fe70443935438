import { projectPath } from '../../core/paths.ts';
import type { Project } from '../../projects/project.ts';

type LinkedProject = Pick<Project, 'uuid' | 'slug'>;

export const lineagePart = 'lineage/';
export const comparisonPart = 'comparison/';

export const lineagePath = (project: LinkedProject): string => projectPath(project) + lineagePart;
/** The page that compares a remix with its source. */
export const comparisonPath = (project: LinkedProject): string => projectPath(project) + comparisonPart;
