// May this viewer change this project? The owner and moderators may; a removed project only moderators who do not own
// it.

import { apiText } from '#common/api-text.ts';
import { Forbidden, Invalid, NotFound, Outdated } from '#common/errors.ts';
import type { WriteContext } from '../../core/changes/write.ts';
import type { ContentType } from '../../core/content-types.ts';
import { removed } from '../../core/project-status.ts';
import { isTypeOffered } from '../../core/site/site-fields.ts';
import { authorize, can } from '../../core/viewer/permissions.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { changesAsOwner, findRefusalToKeep } from '../hooks.ts';
import type { Project, ProjectRow } from '../project.ts';
import { type ProjectAddress, readableAt } from '../visibility/visible-to.ts';
import { lockProjects } from './store.ts';

export type OwnedProject = Pick<Project, 'id' | 'contributor'> & { readonly status: number };
type ChangePermission = 'changeProject' | 'trashProject';

export function canChange(viewer: Viewer, project: OwnedProject): boolean {
  const { status, contributor } = project;
  return (
    (can(viewer, 'changeProject', contributor) || changesAsOwner(viewer, project)) &&
    (status !== removed || can(viewer, 'removeProject', contributor))
  );
}

/** Throws unless the viewer may change the project. */
export function authorizeChange(
  viewer: Viewer,
  project: OwnedProject,
  permission: ChangePermission = 'changeProject',
): void {
  const { status, contributor } = project;
  if (permission !== 'changeProject' || !changesAsOwner(viewer, project))
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

/** Throws if nobody rates or keeps the project. */
export function requireKeepable(project: Pick<ProjectRow, 'kind'>): void {
  const refusal = findRefusalToKeep(project);
  if (refusal) throw new Forbidden(refusal);
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
