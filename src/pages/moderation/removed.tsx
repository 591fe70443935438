// /moderation/removed/: what moderators removed, and the way back.

import { readFields } from '../../fields.ts';
import { idFrom } from '../../gallery/ids.ts';
import { restoreRemoved } from '../../gallery/moderation/decide.ts';
import { whyFields } from '../../gallery/moderation/decision.ts';
import { removalReasons } from '../../gallery/moderation/log.ts';
import { authorizeAny, can } from '../../gallery/permissions.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { Members, Token, Wrong } from '../form.tsx';
import type { Frame } from '../frame.ts';
import { numbered, pageAddress } from '../listing.ts';
import { seeOther } from '../moved.ts';
import { Maker, Title } from '../named.tsx';
import type { PageParts, Served } from '../serve.ts';
import { Day } from '../times.tsx';
import { transactOnce } from '../transact.ts';
import { room, toldOnPage } from './room.tsx';

const path = '/moderation/removed/';

const fields = { reason: { ...whyFields.reason, label: 'Why it comes back' } };

export async function removed({ database, projects, timeZone: zone }: PageParts, served: Served) {
  const { viewer, address, frame, refused } = served;
  authorizeAny(viewer, 'seeReports');
  const shown = await numbered(projects.listing(viewer, projects.choose('status', '3')), address.query);
  const ids = shown.projects.map(({ id }) => id);
  const reasons = await removalReasons(database, ids);
  return room(served, {
    path,
    children: (
      <>
        <Wrong refused={refused} />
        {shown.count === 0 && <p class="empty">Nothing is removed.</p>}
        <ul class="rows">
          {shown.projects.map((project) => (
            <Row project={project} why={reasons.get(project.id)} zone={zone} frame={frame} />
          ))}
        </ul>
        <Pager {...shown} address={pageAddress(path, new URLSearchParams())} />
      </>
    ),
  });
}

interface RowProps {
  readonly project: Project;
  readonly why: string | undefined;
  readonly zone: string;
  readonly frame: Frame;
}

function Row({ project, why, zone, frame: { viewer, token } }: RowProps) {
  return (
    <li>
      <div>
        <Title of={project} />
        <p class="by">
          {project.content_type} by <Maker of={project} />
          {' · '}
          <Day at={project.created} zone={zone} />
        </p>
        {why && (
          <p class="words" dir="auto">
            {why}
          </p>
        )}
      </div>
      {can(viewer, 'decide', project.contributor) && (
        <form class="deciding" method="post" action={path}>
          <Token token={token} />
          <input type="hidden" name="project" value={String(project.id)} />
          <Members fields={fields} prefix={`r${project.id}`} />
          <button class="quiet" type="submit">
            Restore<span class="unseen"> {project.title}</span>
          </button>
        </form>
      )}
    </li>
  );
}

export async function takeRestored(parts: PageParts, served: Served) {
  const { data } = await served.context.body();
  const id = idFrom(data.project);
  const { reason } = readFields(fields, data);
  await toldOnPage(() => transactOnce(parts, served, (act) => restoreRemoved({ ...act, reason }, id)));
  return seeOther(path);
}
