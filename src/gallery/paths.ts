// Paths of public pages, without scheme and host. They are pure ASCII, whatever characters names contain.

import { requireId } from './ids.ts';
import type { Project } from './projects/project.ts';

type LinkedProject = Pick<Project, 'uuid' | 'slug'>;

export const projectPath = ({ uuid, slug }: LinkedProject): string => `/content/${uuid}/${slug}/`;

export const lineagePath = (project: LinkedProject): string => `${projectPath(project)}lineage/`;
export const filesPath = (project: LinkedProject): string => `${projectPath(project)}files/`;
/** The page that compares a remix with its source. */
export const comparisonPath = (project: LinkedProject): string => `${projectPath(project)}comparison/`;

export const historyPath = (project: LinkedProject): string => `${projectPath(project)}history/`;
export const reportPath = (project: LinkedProject): string => `${projectPath(project)}report/`;

/** A page of a collection, or one that puts a project into collections. */
export const collectionPath = (
  project: LinkedProject,
  page: 'arrange' | 'offer' | 'people' | 'labels' | 'collect' | 'withdraw',
): string => `${projectPath(project)}${page}/`;

/** The uuid in the path of a project's page, or of a page below it. */
export const parseProjectPath = (path: string): string | undefined =>
  /^\/content\/([A-Za-z0-9]+)\//.exec(path)?.[1];

/** A QR code of the project's link. */
export const qrCodePath = ({ uuid }: Pick<Project, 'uuid'>): string => `/content/${uuid}/qr.svg`;

/** The project as a card for other sites. A project whose slug is `embed` has its own page at the usual path. */
export const embedPath = ({ uuid, slug }: LinkedProject): string =>
  slug === 'embed' ? `/content/${uuid}/embed/embed/` : `/content/${uuid}/embed/`;

export const contributorPath = (id: number, username: string): string =>
  `/contributors/${id}-${encodeURIComponent(username)}/`;

/** The part of a path that names a contributor, such as `7-ada`. */
export function parseContributorPath(name = ''): { id: number; username: string } {
  const [id = ''] = name.split('-', 1);
  return { id: requireId(id), username: name.slice(id.length + 1) };
}
