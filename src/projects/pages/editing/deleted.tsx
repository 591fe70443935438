// The line with Undo that the page after a deletion shows to the person who deleted something of their own.

import { ButtonForm, visuallyHidden } from '../../../core/pages/layout/form.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../../core/pages/page.ts';
import { projectPath } from '../../../core/paths.ts';
import { isAnonymous } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import { findIfVisible } from '../project/find-project.ts';

/** A comment leads back to what it was about, if that is still there. */
export async function pathAfterDeletion(
  { projects, viewer }: PageContext,
  project: Project,
): Promise<string> {
  const place = await projects.findParent(viewer, project);
  return `${place ? projectPath(place) : '/mine/'}?deleted=${project.id}`;
}

/** The project or comment that the query names as deleted, if the viewer can restore it. */
export async function loadDeleted({ projects, viewer, url }: PageContext): Promise<Project | undefined> {
  const id = url.query.get('deleted') ?? '';
  if (isAnonymous(viewer) || !/^\d{1,15}$/.test(id)) return undefined;
  // Of moderators, too, only their own.
  return findIfVisible(projects.findRestorable({ ...viewer, isModerator: false }, Number(id)));
}

export function DeletedNotice({ project }: { project: Project | undefined }) {
  const { rich } = useLanguage();
  if (!project) return null;
  return (
    <div class="notice draft" role="status">
      <p>{rich('deleted.notice', { title: <bdi>{project.title}</bdi> })}</p>
      <ButtonForm action={`/mine/trash/${project.id}/restore/`} variant="quiet">
        {rich('log.undo', { subject: project.title, hidden: visuallyHidden })}
      </ButtonForm>
    </div>
  );
}
