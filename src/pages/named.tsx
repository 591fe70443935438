// Things and people by what they are called, as ways to their pages. Names have directions of their own, whatever
// stands around them.

import { contributorPath, projectPath } from '../gallery/addresses.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import type { Project } from '../gallery/projects/project.ts';

export function Title({ of: project }: { of: Pick<Project, 'uuid' | 'slug' | 'title'> }) {
  return (
    <a href={projectPath(project)}>
      <bdi>{project.title}</bdi>
    </a>
  );
}

type Made = Pick<Project, 'contributor' | 'username' | 'first_name' | 'last_name'>;

/** Whoever made a thing. */
export function Maker({ of: project, rel }: { of: Made; rel?: 'author' }) {
  return (
    <a rel={rel} href={contributorPath(project.contributor, project.username)}>
      <bdi>{displayName(project)}</bdi>
    </a>
  );
}
