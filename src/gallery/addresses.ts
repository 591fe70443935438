// The public addresses of things, without scheme and host. Pure ASCII, whatever people call themselves.

import type { Project } from './projects/project.ts';

export function projectPath({ uuid, slug }: Pick<Project, 'uuid' | 'slug'>): string {
  return `/content/${uuid}/${slug}/`;
}

export function contributorPath(id: number, username: string): string {
  return `/contributors/${id}-${encodeURIComponent(username)}/`;
}
