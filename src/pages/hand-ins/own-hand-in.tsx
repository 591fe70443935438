// Tells the owner of a work in a class on its page when the class is due, and then which version counts.

import { loadOwnHandIns } from '../../gallery/hand-ins/hand-in.ts';
import { projectPath } from '../../gallery/paths.ts';
import type { Project } from '../../gallery/projects/project.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { DateTimeText, NameLink } from '../layout/components.tsx';
import type { PageContext } from '../page.ts';

export async function loadHandInNotices(
  { database, viewer, rich }: PageContext,
  project: Project,
): Promise<Child> {
  if (viewer.contributor !== project.contributor || !viewer.memberships) return undefined;
  const handIns = await loadOwnHandIns(database, viewer, project);
  return handIns.map(({ collection, due, changed }) => {
    const link = <NameLink href={projectPath(collection)} name={collection.title} />;
    if (changed === undefined)
      return (
        <p class="notice">{rich('handIns.dueOn', { class: link, date: <DateTimeText instant={due} /> })}</p>
      );
    return (
      <p class="notice">
        {rich('handIns.ofWork', { class: link, date: <DateTimeText instant={changed} /> })}
      </p>
    );
  });
}
