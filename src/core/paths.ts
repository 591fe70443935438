// Paths of public pages, without scheme and host. They are pure ASCII, whatever characters names contain.

import { requireId } from './ids.ts';

interface LinkedProject {
  readonly uuid: string;
  readonly slug: string;
}

export const projectPath = ({ uuid, slug }: LinkedProject): string => `/content/${uuid}/${slug}/`;

export const filesPath = (project: LinkedProject): string => `${projectPath(project)}files/`;
export const historyPath = (project: LinkedProject): string => `${projectPath(project)}history/`;
export const reportPath = (project: LinkedProject): string => `${projectPath(project)}report/`;

/** The uuid in the path of a project's page, or of a page below it. */
export const parseProjectPath = (path: string): string | undefined =>
  /^\/content\/([A-Za-z0-9]+)\//.exec(path)?.[1];

/** A QR code of the project's link. */
export const qrCodePath = ({ uuid }: Pick<LinkedProject, 'uuid'>): string => `/content/${uuid}/qr.svg`;

export const contributorPath = (id: number, username: string): string =>
  `/contributors/${id}-${encodeURIComponent(username)}/`;

/** The part of a path that names a contributor, such as `7-ada`. */
export function parseContributorPath(name = ''): { id: number; username: string } {
  const [id = ''] = name.split('-', 1);
  return { id: requireId(id), username: name.slice(id.length + 1) };
}
