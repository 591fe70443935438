// May this viewer change this project? The owner and moderators may; a removed project only moderators who do not own
// it.

import { apiText } from '../../../common/api-text.ts';
import { Invalid, NotFound, Outdated } from '../../../common/errors.ts';
import type { WriteContext } from '../../changes/write.ts';
import type { ContentType } from '../../content-types.ts';
import { authorize, can } from '../../permissions.ts';
import { removed } from '../../project-status.ts';
import { isTypeOffered } from '../../site/fields.ts';
import type { Viewer } from '../../viewer.ts';
import type { Project, ProjectRow } from '../project.ts';
import { type ProjectAddress, readableAt } from '../visibility.ts';
import { lockProjects } from './store.ts';

export type OwnedProject = Pick<Project, 'id' | 'contributor'> & { readonly status: number };
type ChangePermission = 'changeProject' | 'trashProject';

export function canChange(viewer: Viewer, project: OwnedProject): boolean {
  const { status, contributor } = project;
  return (
    (can(viewer, 'changeProject', contributor) || arranges(viewer, project)) &&
    (status !== removed || can(viewer, 'removeProject', contributor))
  );
}

/** Editors of a collection and teachers of a class change it as its owner does, but not who sees it. */
export const arranges = (viewer: Viewer, { id }: Pick<Project, 'id'>): boolean =>
  viewer.canWrite &&
  viewer.memberships?.some(({ collection, role }) => collection === id && role !== 'member') === true;

/** Throws unless the viewer may change the project. */
export function authorizeChange(
  viewer: Viewer,
  project: OwnedProject,
  permission: ChangePermission = 'changeProject',
): void {
  const { status, contributor } = project;
  if (permission !== 'changeProject' || !arranges(viewer, project))
    authorize(viewer, permission, contributor);
  if (status === removed) authorize(viewer, 'removeProject', contributor);
}

/** Loads a project that the viewer may open by this address, and locks its row. */
export async function lockReadableProject({ transaction, viewer }: WriteContext, address: ProjectAddress) {
  const [project] = await lockProjects(transaction, readableAt(viewer, address));
  if (!project) throw new NotFound();
  return project;
}

/** Loads a project that the viewer may change, and locks its row. */
export async function lockChangeableProject(
  write: WriteContext,
  id: number,
  permission: ChangePermission = 'changeProject',
): Promise<ProjectRow> {
  const { viewer, matchesVersion } = write;
  const before = await lockReadableProject(write, id);
  authorizeChange(viewer, before, permission);
  if (matchesVersion && !matchesVersion(before.record_modified)) throw new Outdated();
  return before;
}

/** For everybody but moderators the status does not exist. */
export function forbidRemovedStatus({ isModerator }: Viewer, status: number | undefined): void {
  if (status === removed && !isModerator) throw new Invalid({ status: ['"3" is not a valid choice.'] });
}

/** A site may offer some types only. Existing projects of other types stay. */
export function requireOffered({ offeredTypes }: Viewer, type: ContentType): void {
  if (!isTypeOffered(offeredTypes, type))
    throw new Invalid({ content_type: [apiText('notChoice', { value: type })] });
}
