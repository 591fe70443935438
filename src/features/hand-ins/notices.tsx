// Tells the owner of a work in a class on its page when the class is due, and then which version counts.

import { DateTimeText, NameLink } from '../../core/pages/layout/components.tsx';
import type { PageContext, Sections } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { Project } from '../../projects/project.ts';
import { loadOwnHandIns } from './hand-in.ts';

async function loadNotices({ database, viewer, rich }: PageContext, project: Project) {
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

export const sections: Sections = { 'project.notices': loadNotices };
