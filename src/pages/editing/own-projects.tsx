// /mine/: the viewer's own projects and comments, by status, and their trash with a button to restore.

import { NotFound } from '../../errors.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { requireId } from '../../gallery/ids.ts';
import { loadRemovalReasons } from '../../gallery/moderation/log.ts';
import { projectPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { restoreFromTrash } from '../../gallery/projects/change.ts';
import { daysInTrash } from '../../gallery/projects/erase.ts';
import type { ProjectFinder } from '../../gallery/projects/find.ts';
import type { ProjectListing } from '../../gallery/projects/listing.ts';
import { type Project, projectContentTypes } from '../../gallery/projects/project.ts';
import { archived, draft, published, removed } from '../../gallery/projects/status.ts';
import type { Viewer } from '../../gallery/viewer.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { urlWithParameters } from '../../rest/request-url.ts';
import { DateText } from '../dates.tsx';
import { ButtonForm } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import { ProjectLink } from '../links.tsx';
import { formatPageTitle, loadListPage } from '../listing.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { typeNames } from '../type-names.ts';

interface Tab {
  readonly name: string;
  /** The filters of its list. The trash has none. */
  readonly filters?: Readonly<Record<string, string>>;
  readonly empty: string;
}

const content_type__in = projectContentTypes.join(',');

const tabs: Readonly<Record<string, Tab>> = {
  '': {
    name: 'Published',
    filters: { content_type__in, status: String(published), visibility: 'public' },
    empty: 'You haven’t published anything yet.',
  },
  drafts: {
    name: 'Drafts',
    filters: { content_type__in, status: String(draft) },
    empty: 'No drafts. They wait here until you publish them.',
  },
  private: {
    name: 'Private',
    filters: { content_type__in, status: String(published), visibility: 'private' },
    empty: 'No private projects. New remixes start out here.',
  },
  unlisted: {
    name: 'Unlisted',
    filters: { content_type__in, status: String(published), visibility: 'unlisted' },
    empty: 'No unlisted projects.',
  },
  archived: {
    name: 'Archived',
    filters: { content_type__in, status: String(archived) },
    empty: 'No archived projects.',
  },
  comments: { name: 'Comments', filters: { content_type: 'comment' }, empty: 'You haven’t commented yet.' },
  removed: {
    name: 'Removed',
    filters: { content_type__in, status: String(removed) },
    empty: 'Moderators haven’t removed anything of yours.',
  },
  trash: { name: 'Trash', empty: 'The trash is empty.' },
};

export async function showOwnProjectsPage(
  { database, projects }: PageDependencies,
  { layout, viewer, url }: PageContext,
) {
  authorizeAny(viewer, 'makeProject');
  const tabName = url.query.get('show') ?? '';
  const tab = Object.hasOwn(tabs, tabName) ? tabs[tabName] : undefined;
  if (!tab) throw new NotFound();
  const projectPage = await loadListPage(findListing(projects, viewer, tab), url.query);
  const removedIds = projectPage.items.filter(({ status }) => status === removed).map(({ id }) => id);
  const reasons = await loadRemovalReasons(database, removedIds);
  const pageUrl = createPageUrl('/mine/', new URLSearchParams(tabName && { show: tabName }));
  return renderPage(layout, {
    title: formatPageTitle(`My projects: ${tab.name}`, projectPage.number),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <>
        <h1>My projects</h1>
        <nav class="list-filters" aria-label="Status">
          <ul class="types">
            {Object.entries(tabs).map(([name, { name: label }]) => (
              <li>
                <a
                  href={urlWithParameters('/mine/', new URLSearchParams(), { show: name })}
                  aria-current={name === tabName ? 'page' : undefined}
                >
                  {label}
                </a>
              </li>
            ))}
          </ul>
        </nav>
        {tabName === 'trash' && (
          <p class="faint">Everything here is deleted for good after {daysInTrash} days.</p>
        )}
        {projectPage.count === 0 ? (
          <div class="empty">
            <p>{tab.empty}</p>
            <p>
              <a href="/new/">Create a project</a>
            </p>
          </div>
        ) : (
          <ul class="rows">
            {projectPage.items.map((project) => (
              <Row
                project={project}
                removalReason={reasons.get(project.id)}
                isTrashed={tabName === 'trash'}
              />
            ))}
          </ul>
        )}
        <Pager {...projectPage} urlOf={pageUrl} />
      </>
    ),
  });
}

function findListing(projects: ProjectFinder, viewer: Viewer, { filters }: Tab): ProjectListing {
  // Moderators find everybody's trash: without that role this lists the viewer's own.
  if (!filters) return projects.listTrash({ ...viewer, isModerator: false });
  const filterValues = Object.entries({ contributor: 'me', ...filters });
  return projects.list(
    viewer,
    new Map(filterValues.flatMap(([name, text]) => [...projects.parseFilter(name, text)])),
  );
}

interface RowProps {
  readonly project: Project;
  readonly removalReason: string | undefined;
  readonly isTrashed: boolean;
}

function Row({ project, removalReason, isTrashed }: RowProps) {
  const path = projectPath(project);
  return (
    <li>
      <div>
        {isTrashed ? (
          <b>
            <bdi>{project.title}</bdi>
          </b>
        ) : (
          <ProjectLink project={project} />
        )}
        <p class="byline">
          {typeNames[project.content_type].one} · updated <DateText instant={project.modified} />
        </p>
        {removalReason && <p dir="auto">Reason for removal: {removalReason}</p>}
      </div>
      {isTrashed ? (
        <ButtonForm action={`/mine/trash/${project.id}/restore/`} variant="quiet">
          Restore<span class="visually-hidden"> {project.title}</span>
        </ButtonForm>
      ) : (
        project.status !== removed && (
          <a href={`${path}edit/`}>
            Edit<span class="visually-hidden"> {project.title}</span>
          </a>
        )
      )}
    </li>
  );
}

export async function submitRestore(deps: PageDependencies, context: PageContext) {
  const id = requireId(context.params.id);
  return seeOther(
    projectPath(await transactOnce(deps.database, context, (write) => restoreFromTrash(write, id))),
  );
}
