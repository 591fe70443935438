import { idFrom } from '../../gallery/ids.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { restore } from '../../gallery/projects/change.ts';
import { daysInTrash } from '../../gallery/projects/erase.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { Token } from '../form.tsx';
import { numbered, pageAddress } from '../listing.ts';
import { seeOther } from '../moved.ts';
import { Maker } from '../named.tsx';
import type { PageParts, Served } from '../serve.ts';
import { Day } from '../times.tsx';
import { transactOnce } from '../transact.ts';
import { room } from './room.tsx';

const path = '/moderation/trash/';

export async function trash({ projects, timeZone: zone }: PageParts, served: Served) {
  const { viewer, address, frame } = served;
  authorizeAny(viewer, 'seeReports');
  const shown = await numbered(projects.trash(viewer), address.query);
  return room(served, {
    path,
    children: (
      <>
        <p class="faint">What lies here goes for good after {daysInTrash} days.</p>
        {shown.count === 0 && <p class="empty">The trash is empty.</p>}
        <ul class="rows">
          {shown.projects.map((project) => (
            <li>
              <div>
                <b>
                  <bdi>{project.title}</bdi>
                </b>
                <p class="by">
                  {project.content_type} by <Maker of={project} />
                  {' · '}
                  <Day at={project.created} zone={zone} />
                </p>
              </div>
              <form method="post" action={path}>
                <Token token={frame.token} />
                <button class="quiet" type="submit" name="project" value={String(project.id)}>
                  Bring back<span class="unseen"> {project.title}</span>
                </button>
              </form>
            </li>
          ))}
        </ul>
        <Pager {...shown} address={pageAddress(path, new URLSearchParams())} />
      </>
    ),
  });
}

export async function takeReturned(parts: PageParts, served: Served) {
  authorizeAny(served.viewer, 'decide');
  const id = idFrom((await served.context.body()).data.project);
  await transactOnce(parts, served, (act) => restore(act, id));
  return seeOther(path);
}
