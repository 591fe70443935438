// The public addresses of things, without scheme and host. Pure ASCII, whatever people call themselves.

import type { Project } from './projects/project.ts';

export function projectPath({ uuid, slug }: Pick<Project, 'uuid' | 'slug'>): string {
  return `/content/${uuid}/${slug}/`;
}

/** The family of copies that it belongs to. */
export function lineagePath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}lineage/`;
}

/** Where its files come and go. */
export function filesPath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}files/`;
}

export function historyPath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}history/`;
}

export function reportPath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}report/`;
}

/** The project as a card for other sites. One whose slug is `embed` has its own page at the usual address. */
export function embedPath({ uuid, slug }: Pick<Project, 'uuid' | 'slug'>): string {
  return slug === 'embed' ? `/content/${uuid}/embed/embed/` : `/content/${uuid}/embed/`;
}

export function contributorPath(id: number, username: string): string {
  return `/contributors/${id}-${encodeURIComponent(username)}/`;
}
