// A work in the lists of the page that arranges a collection.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { ContributorLink } from '../../core/pages/layout/components.tsx';
import { type CoverContent, ProjectCover } from '../../projects/pages/list/posters.tsx';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import type { Project } from '../../projects/project.ts';

export const ProjectTitle = ({ project }: { project: Project }) => (
  <>
    <p class="name">
      <ProjectLink project={project} />
    </p>
    <p class="byline">
      <ContributorLink project={project} />
    </p>
  </>
);

interface WorkRowProps {
  readonly project: Project;
  readonly cover: CoverContent | undefined;
  /** Below the name of its maker. */
  readonly children?: Child;
}

export const WorkRow = ({ project, cover, children }: WorkRowProps) => (
  <div class="with-cover">
    <ProjectCover project={project} cover={cover} />
    <div>
      <ProjectTitle project={project} />
      {children}
    </div>
  </div>
);
