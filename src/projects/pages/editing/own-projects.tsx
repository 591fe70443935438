// /mine/: the viewer's own projects and comments, by status, and their trash with a button to restore.

import { NotFound } from '#common/errors.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { projectContentTypes } from '../../../core/content-types.ts';
import { requireId } from '../../../core/ids.ts';
import {
  BoldName,
  Byline,
  DateText,
  DateTimeText,
  LinkItem,
  Pager,
} from '../../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction } from '../../../core/pages/layout/form.tsx';
import { Page } from '../../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { anyone, form, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { RemovalContact } from '../../../core/pages/site-texts.tsx';
import { projectPath } from '../../../core/paths.ts';
import { archived, draft, published, removed, waiting } from '../../../core/project-status.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import type { ProjectFinder, ProjectList } from '../../reading/find-projects.ts';
import { loadReasons } from '../../reading/reasons.ts';
import { restoreFromTrash } from '../../writing/change-project.ts';
import { daysInTrash } from '../../writing/erase.ts';
import { formatPageTitle, loadListPage } from '../list/list-query.ts';
import { ProjectLink, reasonMessage, StatusBadge } from '../project-parts.tsx';
import { DeletedNotice, loadDeleted } from './deleted.tsx';

interface Tab {
  readonly name: string;
  readonly filters?: Readonly<Record<string, string>>;
}

const content_type__in = projectContentTypes.join(',');

/** The filters of each list. The trash has none. */
const tabs = {
  '': { name: 'published', filters: { content_type__in, status: String(published), visibility: 'public' } },
  drafts: { name: 'drafts', filters: { content_type__in, status: String(draft) } },
  private: {
    name: 'private',
    filters: { content_type__in, status: String(published), visibility: 'private' },
  },
  unlisted: {
    name: 'unlisted',
    filters: { content_type__in, status: String(published), visibility: 'unlisted' },
  },
  waiting: { name: 'waiting', filters: { status: String(waiting) } },
  archived: { name: 'archived', filters: { content_type__in, status: String(archived) } },
  comments: { name: 'comments', filters: { content_type: 'comment' } },
  removed: { name: 'removed', filters: { content_type__in, status: String(removed) } },
  trash: { name: 'trash' },
} as const satisfies Record<string, Tab>;

async function showOwnProjectsPage(context: PageContext) {
  const { database, projects, layout, viewer, url, t } = context;
  const tabName = url.query.get('show') ?? '';
  if (!isTab(tabName)) throw new NotFound();
  const tab = tabs[tabName];
  const projectPage = await loadListPage(findListing(projects, viewer, tab), url.query);
  const deleted = await loadDeleted(context);
  const hasRemoved = projectPage.items.some(({ status }) => status === removed);
  const reasons = await loadReasons(database, projectPage.items);
  const pageUrl = createPageUrl('/mine/', new URLSearchParams(tabName && { show: tabName }));
  return context.render(
    <Page
      title={formatPageTitle(
        layout.language,
        t('mine.tabTitle', { tab: t(`mine.${tab.name}`) }),
        projectPage.number,
      )}
    >
      <h1>{t('mine.title')}</h1>
      <DeletedNotice project={deleted} />
      <nav class="list-filters" aria-label={t('mine.status')}>
        <ul class="types">
          {Object.entries(tabs).map(([name, { name: tabKey }]) => (
            <LinkItem
              href={urlWithParameters('/mine/', new URLSearchParams(), { show: name })}
              current={name === tabName && 'page'}
            >
              {t(`mine.${tabKey}`)}
            </LinkItem>
          ))}
        </ul>
      </nav>
      {tabName === 'trash' && <p class="faint">{t('mine.trashNote', { days: daysInTrash })}</p>}
      {hasRemoved && <RemovalContact />}
      {projectPage.count === 0 ? (
        <div class="empty">
          <p>{t(`mine.${tab.name}Empty`)}</p>
          <p>
            <a href="/new/">{t('mine.create')}</a>
          </p>
        </div>
      ) : (
        <ul class="rows narrow">
          {projectPage.items.map((project) => (
            <Row project={project} reason={reasons.get(project.id)} isTrashed={tabName === 'trash'} />
          ))}
        </ul>
      )}
      <Pager {...projectPage} urlOf={pageUrl} />
    </Page>,
  );
}

const isTab = (name: string): name is keyof typeof tabs => Object.hasOwn(tabs, name);

function findListing(projects: ProjectFinder, viewer: Viewer, { filters }: Tab): ProjectList {
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
  readonly reason: string | undefined;
  readonly isTrashed: boolean;
}

function Row({ project, reason, isTrashed }: RowProps) {
  const { t, rich } = useLanguage();
  const path = projectPath(project);
  return (
    <li>
      <div>
        {isTrashed ? (
          <BoldName name={project.title} />
        ) : (
          <>
            <ProjectLink project={project} /> <StatusBadge project={project} />
          </>
        )}
        <Byline
          parts={[
            t(`type.${project.content_type}`),
            rich('mine.updated', { date: <DateText instant={project.modified} /> }),
          ]}
        />
        {project.publish_at !== null && (
          <p>{rich('project.publishesAt', { date: <DateTimeText instant={project.publish_at} /> })}</p>
        )}
        {reason && <p>{rich(reasonMessage(project), { reason: <bdi>{reason}</bdi> })}</p>}
      </div>
      {isTrashed ? (
        <ButtonForm action={`/mine/trash/${project.id}/restore/`} variant="quiet">
          <NamedAction action={t('form.restore')} name={project.title} />
        </ButtonForm>
      ) : (
        project.status !== removed && (
          <a class="button quiet" href={`${path}edit/`}>
            <NamedAction action={t('form.edit')} name={project.title} />
          </a>
        )
      )}
    </li>
  );
}

export const ownProjectRoutes = [
  page('/mine/', 'makeProject', showOwnProjectsPage),
  form('/mine/trash/:id/restore/', anyone, async (context) => {
    const id = requireId(context.params.id);
    return seeOther(projectPath(await context.transact((write) => restoreFromTrash(write, id))));
  }),
];
