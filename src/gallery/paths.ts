// Paths of public pages, without scheme and host. They are pure ASCII, whatever characters names contain.

import { requireId } from './ids.ts';
import type { Project } from './projects/project.ts';

export function projectPath({ uuid, slug }: Pick<Project, 'uuid' | 'slug'>): string {
  return `/content/${uuid}/${slug}/`;
}

/** The uuid in the path of a project's page, or of a page below it. */
export function parseProjectPath(path: string): string | undefined {
  return /^\/content\/([A-Za-z0-9]+)\//.exec(path)?.[1];
}

export function lineagePath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}lineage/`;
}

export function filesPath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}files/`;
}

export function historyPath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}history/`;
}

export function reportPath(project: Pick<Project, 'uuid' | 'slug'>): string {
  return `${projectPath(project)}report/`;
}

/** A QR code of the project's link. */
export function qrCodePath({ uuid }: Pick<Project, 'uuid'>): string {
  return `/content/${uuid}/qr.svg`;
}

/** The project as a card for other sites. A project whose slug is `embed` has its own page at the usual path. */
export function embedPath({ uuid, slug }: Pick<Project, 'uuid' | 'slug'>): string {
  return slug === 'embed' ? `/content/${uuid}/embed/embed/` : `/content/${uuid}/embed/`;
}

export function contributorPath(id: number, username: string): string {
  return `/contributors/${id}-${encodeURIComponent(username)}/`;
}

/** The part of a path that names a contributor, such as `7-ada`. */
export function parseContributorPath(name = ''): { id: number; username: string } {
  const [id = ''] = name.split('-', 1);
  return { id: requireId(id), username: name.slice(id.length + 1) };
}
