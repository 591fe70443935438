// /mine/: what somebody made, by the state it is in, and the way out of the trash.

import { NotFound } from '../../errors.ts';
import { projectPath } from '../../gallery/addresses.ts';
import { idFrom } from '../../gallery/ids.ts';
import { removalReasons } from '../../gallery/moderation/log.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { restore } from '../../gallery/projects/change.ts';
import { daysInTrash } from '../../gallery/projects/erase.ts';
import type { ProjectFinder, ProjectListing } from '../../gallery/projects/find.ts';
import { madeTypes, type Project } from '../../gallery/projects/project.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { ButtonForm } from '../form.tsx';
import type { Frame } from '../frame.ts';
import { page } from '../layout.tsx';
import { addressWith, numbered, pageAddress } from '../listing.ts';
import { seeOther } from '../moved.ts';
import { Title } from '../named.tsx';
import type { PageParts, Served } from '../serve.ts';
import { Day } from '../times.tsx';
import { transactOnce } from '../transact.ts';

interface Shelf {
  readonly name: string;
  /** What stands on it, as filters of a listing; none for the trash. */
  readonly chosen?: Readonly<Record<string, string>>;
  readonly empty: string;
}

const content_type__in = madeTypes.join(',');

const shelves: Readonly<Record<string, Shelf>> = {
  '': {
    name: 'Published',
    chosen: { content_type__in, status: '1', visibility: 'public' },
    empty: 'You have shown nothing yet.',
  },
  drafts: {
    name: 'Drafts',
    chosen: { content_type__in, status: '0' },
    empty: 'You have no drafts: what is saved as one waits here.',
  },
  private: {
    name: 'Private',
    chosen: { content_type__in, status: '1', visibility: 'private' },
    empty: 'Nothing is only for you. A copy that you make begins here.',
  },
  unlisted: {
    name: 'Unlisted',
    chosen: { content_type__in, status: '1', visibility: 'unlisted' },
    empty: 'Nothing is for those only who have its address.',
  },
  archived: {
    name: 'Archived',
    chosen: { content_type__in, status: '2' },
    empty: 'You have archived nothing.',
  },
  comments: { name: 'Comments', chosen: { content_type: 'comment' }, empty: 'You have said nothing yet.' },
  removed: {
    name: 'Removed',
    chosen: { content_type__in, status: '3' },
    empty: 'Nothing of yours was removed by a moderator.',
  },
  trash: { name: 'Trash', empty: 'The trash is empty.' },
};

export async function mine(
  { database, projects, timeZone: zone }: PageParts,
  { frame, viewer, address }: Served,
) {
  authorizeAny(viewer, 'makeProject');
  const show = address.query.get('show') ?? '';
  const shelf = Object.hasOwn(shelves, show) ? shelves[show] : undefined;
  if (!shelf) throw new NotFound();
  const shown = await numbered(listingOf(projects, viewer, shelf), address.query);
  const removed = shown.projects.filter(({ status }) => status === 3).map(({ id }) => id);
  const reasons = await removalReasons(database, removed);
  const at = pageAddress('/mine/', new URLSearchParams(show && { show }));
  return page(frame, {
    title: shown.number > 1 ? `My work: ${shelf.name}, page ${shown.number}` : `My work: ${shelf.name}`,
    listed: false,
    children: (
      <>
        <h1>My work</h1>
        <nav class="narrowing" aria-label="States">
          <ul class="types">
            {Object.entries(shelves).map(([name, { name: words }]) => (
              <li>
                <a
                  href={addressWith('/mine/', new URLSearchParams(), { show: name })}
                  aria-current={name === show ? 'page' : undefined}
                >
                  {words}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {show === 'trash' && <p class="faint">What lies here goes for good after {daysInTrash} days.</p>}
        {shown.count === 0 ? (
          <div class="empty">
            <p>{shelf.empty}</p>
            <p>
              <a href="/new/">Make something</a>
            </p>
          </div>
        ) : (
          <ul class="rows">
            {shown.projects.map((project) => (
              <Row
                project={project}
                why={reasons.get(project.id)}
                trashed={show === 'trash'}
                zone={zone}
                frame={frame}
              />
            ))}
          </ul>
        )}
        <Pager {...shown} address={at} />
      </>
    ),
  });
}

function listingOf(projects: ProjectFinder, viewer: Viewer, { chosen }: Shelf): ProjectListing {
  // Of the trash moderators find everybody's: this is the place for one's own.
  if (!chosen) return projects.trash({ ...viewer, moderates: false });
  const wanted = Object.entries({ contributor: 'me', ...chosen });
  return projects.listing(
    viewer,
    projects.choicesOf(wanted.flatMap(([name, text]) => [...projects.choose(name, text)])),
  );
}

interface RowProps {
  readonly project: Project;
  /** Why it was removed. */
  readonly why: string | undefined;
  readonly trashed: boolean;
  readonly zone: string;
  readonly frame: Frame;
}

function Row({ project, why, trashed, zone, frame }: RowProps) {
  const path = projectPath(project);
  return (
    <li>
      <div>
        {trashed ? (
          <b>
            <bdi>{project.title}</bdi>
          </b>
        ) : (
          <Title of={project} />
        )}
        <p class="by">
          {project.content_type} · changed <Day at={project.modified} zone={zone} />
        </p>
        {why && <p dir="auto">Why it was removed: {why}</p>}
      </div>
      {trashed ? (
        <ButtonForm action={`/mine/trash/${project.id}/restore/`} token={frame.token} kind="quiet">
          Bring back<span class="unseen"> {project.title}</span>
        </ButtonForm>
      ) : (
        project.status !== 3 && (
          <a href={`${path}edit/`}>
            Edit<span class="unseen"> {project.title}</span>
          </a>
        )
      )}
    </li>
  );
}

export async function bringBack(parts: PageParts, served: Served) {
  const id = idFrom(served.params.id);
  return seeOther(projectPath(await transactOnce(parts, served, (act) => restore(act, id))));
}
