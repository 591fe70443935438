// /mine/: the viewer's own projects, drafts on top, with their states; their comments, and their trash with a button to restore.

import sql, { type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { integer, one } from '#sql';
import { requireId } from '../../../core/ids.ts';
import { TableListing } from '../../../core/listing/table-listing.ts';
import {
  BoldName,
  Byline,
  DateText,
  DateTimeText,
  LinkItem,
  LinkLine,
  LinkTabs,
  Pager,
  QuietLink,
} from '../../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction } from '../../../core/pages/layout/form.tsx';
import { Page } from '../../../core/pages/layout/layout.tsx';
import { useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { anyone, form, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { RemovalContact } from '../../../core/pages/site-texts.tsx';
import { projectPath } from '../../../core/paths.ts';
import {
  archived,
  draft,
  isNotInTrash,
  published,
  removed,
  type Status,
  statusNames,
  waiting,
} from '../../../core/project-status.ts';
import type { Translator } from '../../../core/texts/translator.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { type Project, shownColumns } from '../../project.ts';
import type { ProjectOrder } from '../../project-order.ts';
import { loadReasons } from '../../reading/reasons.ts';
import { restoreFromTrash } from '../../writing/change-project.ts';
import { canChange } from '../../writing/changeable.ts';
import { daysInTrash } from '../../writing/erase.ts';
import { formatPageTitle, loadListPage } from '../list/list-query.ts';
import {
  CabinetStyles,
  type CoverContent,
  loadCoverContents,
  ProjectCover,
  withBeginning,
} from '../list/posters.tsx';
import { ownCardsStylesheet } from '../project-assets.ts';
import { ProjectLink, reasonMessage, StatusBadge } from '../project-parts.tsx';
import { DeletedNotice, loadDeleted } from './deleted.tsx';

const isProject = sql`content_type <> 'comment'`;
const isPublished = (visibility: string) =>
  sql`${isProject} and status = ${published} and visibility = ${visibility}`;
const hasState = (status: Status) => sql`${isProject} and status = ${status}`;
/** By the names in the address: all but comments, one state each, comments, and the trash. */
const tabs = {
  '': { name: 'all', condition: isProject },
  drafts: { name: 'drafts', condition: hasState(draft) },
  waiting: { name: 'waiting', condition: sql`status = ${waiting}` },
  published: { name: 'published', condition: isPublished('public') },
  class: { name: 'class', condition: isPublished('class') },
  unlisted: { name: 'unlisted', condition: isPublished('unlisted') },
  private: { name: 'private', condition: isPublished('private') },
  archived: { name: 'archived', condition: hasState(archived) },
  removed: { name: 'removed', condition: hasState(removed) },
  comments: { name: 'comments', condition: sql`content_type = 'comment'` },
  trash: { name: 'trash', condition: undefined },
} as const;
type TabName = keyof typeof tabs;

const lastChangedFirst: ProjectOrder = [
  { column: 'modified', descending: true },
  { column: 'id', descending: true },
];
/** More are on their own list. */
const maxDraftsOnTop = 8;

const isOwn = (viewer: Viewer) => sql`contributor = ${viewer.contributor} and ${isNotInTrash}`;

const listOwn = ({ database, viewer }: PageContext, condition: Sql) =>
  new TableListing<Project>(database, {
    table: 'project',
    columns: shownColumns,
    condition: sql`${isOwn(viewer)} and ${condition}`,
    order: lastChangedFirst,
  });

/** By the names of the tabs, some of which are words of SQL. */
async function countTabs({ database, viewer }: PageContext): Promise<ReadonlyMap<string, number>> {
  const conditions = Object.entries(tabs).flatMap(([name, { condition }]) =>
    condition ? [[`in_${name}`, integer(sql`count(case when ${condition} then 1 end)`)] as const] : [],
  );
  // Somebody may have very many.
  const counts: Record<string, number> = await one(
    database.slowReader,
    Object.fromEntries(conditions),
  )`from project where ${isOwn(viewer)}`;
  return new Map(Object.entries(counts).map(([name, count]) => [name.slice('in_'.length), count]));
}

async function showOwnProjectsPage(context: PageContext) {
  const { projects, layout, viewer, url, t } = context;
  const tabName = url.query.get('show') ?? '';
  if (!isTab(tabName)) throw new NotFound();
  const { name, condition } = tabs[tabName];
  // Moderators find everybody's trash: without that role this lists the viewer's own.
  const listing = !condition
    ? projects.listTrash({ ...viewer, isModerator: false })
    : listOwn(context, tabName === '' ? sql`${condition} and status <> ${draft}` : condition);
  const projectPage = await loadListPage(listing, url.query);
  const drafts =
    tabName === '' && projectPage.number === 1
      ? await listOwn(context, tabs.drafts.condition).page(0, maxDraftsOnTop)
      : [];
  const deleted = await loadDeleted(context);
  const { items } = projectPage;
  const pageUrl = createPageUrl('/mine/', new URLSearchParams(tabName && { show: tabName }));
  const level = drafts.length > 0 ? 'h3' : 'h2';
  return context.render(
    <Page
      stylesheets={[ownCardsStylesheet]}
      title={formatPageTitle(
        layout.language,
        t('mine.tabTitle', { tab: t(`mine.${name}`) }),
        projectPage.number,
      )}
    >
      <h1>{t('mine.title')}</h1>
      <DeletedNotice project={deleted} />
      <Tabs shown={tabName} counts={await countTabs(context)} />
      {tabName === 'trash' && <p class="faint">{t('mine.trashNote', { days: daysInTrash })}</p>}
      {items.some(({ status }) => status === removed) && <RemovalContact />}
      {drafts.length > 0 && (
        <section aria-labelledby="drafts">
          <h2 id="drafts">{t('mine.drafts')}</h2>
          {await renderOwnCards(context, drafts, level)}
        </section>
      )}
      {drafts.length > 0 && items.length > 0 && <h2>{t('mine.others')}</h2>}
      {drafts.length + items.length === 0 ? (
        <div class="empty">
          <p>
            {t(tabName === '' ? 'mine.allEmpty' : tabName === 'trash' ? 'mine.trashEmpty' : 'mine.empty')}
          </p>
          <LinkLine href="/new/">{t('mine.create')}</LinkLine>
        </div>
      ) : tabName === 'trash' || tabName === 'comments' ? (
        await renderRows(context, items, tabName === 'trash')
      ) : (
        await renderOwnCards(context, items, level)
      )}
      <Pager {...projectPage} urlOf={pageUrl} />
    </Page>,
  );
}

const isTab = (name: string): name is TabName => Object.hasOwn(tabs, name);

/** The tabs in which there is something, and the trash. */
function Tabs({ shown, counts }: { shown: TabName; counts: ReadonlyMap<string, number> }) {
  const { t } = useLanguage();
  const links = Object.entries(tabs).filter(
    ([name]) => name === '' || name === 'trash' || name === shown || counts.get(name),
  );
  return (
    <LinkTabs label={t('mine.status')}>
      {links.map(([tabName, { name }]) => (
        <LinkItem
          href={urlWithParameters('/mine/', new URLSearchParams(), { show: tabName })}
          current={tabName === shown && 'page'}
        >
          {t(`mine.${name}`)} {counts.get(tabName) ? <span class="count">{counts.get(tabName)}</span> : null}
        </LinkItem>
      ))}
    </LinkTabs>
  );
}

/** Cards with states and actions. `level` is that of their headings. */
export async function renderOwnCards(
  { database, projects, viewer }: PageContext,
  shown: readonly Project[],
  level: OwnCardProps['level'],
) {
  const covers = await loadCoverContents(projects, viewer, shown);
  const reasons = await loadReasons(database, shown);
  return (
    <>
      <CabinetStyles projects={shown} />
      <ul class="cards">
        {shown.map((project) => (
          <OwnCard
            project={project}
            level={level}
            cover={covers.get(project.id)}
            reason={reasons.get(project.id)}
          />
        ))}
      </ul>
    </>
  );
}

interface OwnCardProps {
  readonly level: 'h2' | 'h3';
  readonly project: Project;
  readonly cover: CoverContent | undefined;
  readonly reason: string | undefined;
}

function OwnCard({ project, level: Level, cover, reason }: OwnCardProps) {
  const { viewer } = useLayout();
  const { t, rich } = useLanguage();
  const path = projectPath(project);
  const state = describeState(useLanguage(), project);
  const isChangeable = canChange(viewer, project) && project.status !== removed;
  return (
    <li class="card">
      <ProjectCover project={withBeginning(project)} cover={cover} />
      <Level class="name" dir="auto">
        <a href={path}>{project.title}</a>
      </Level>
      {state && (
        <p class="state">
          <span class="badge">{state}</span>
        </p>
      )}
      <p class="byline">
        <span>{rich('mine.updated', { date: <DateText instant={project.modified} isAgo /> })}</span>
      </p>
      <Details project={project} reason={reason} />
      {isChangeable && (
        <div class="card-actions">
          {project.status === draft && (
            <ButtonForm action={`${path}status/`} name="status" value={String(published)}>
              <NamedAction action={t('edit.publish')} name={project.title} />
            </ButtonForm>
          )}
          <QuietLink href={`${path}edit/`}>
            <NamedAction action={t('form.edit')} name={project.title} />
          </QuietLink>
        </div>
      )}
    </li>
  );
}

/** Undefined if everybody sees it. */
function describeState({ t }: Translator, { status, visibility }: Project): string | undefined {
  if (status === removed) return t('project.removed');
  if (status !== published) return t(`status.${statusNames[status]}`);
  return visibility === 'public' ? undefined : t(`visibility.${visibility}`);
}

function Details({ project, reason }: Pick<OwnCardProps, 'project' | 'reason'>) {
  const { rich } = useLanguage();
  return (
    <>
      {project.publish_at !== null && (
        <p>{rich('project.publishesAt', { date: <DateTimeText instant={project.publish_at} /> })}</p>
      )}
      {reason && <p>{rich(reasonMessage(project), { reason: <bdi>{reason}</bdi> })}</p>}
    </>
  );
}

async function renderRows({ database }: PageContext, shown: readonly Project[], isTrashed: boolean) {
  const reasons = await loadReasons(database, shown);
  return (
    <ul class="rows narrow">
      {shown.map((project) => (
        <Row project={project} reason={reasons.get(project.id)} isTrashed={isTrashed} />
      ))}
    </ul>
  );
}

interface RowProps extends Pick<OwnCardProps, 'project' | 'reason'> {
  readonly isTrashed: boolean;
}

function Row({ project, reason, isTrashed }: RowProps) {
  const { t, rich } = useLanguage();
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
            rich('mine.updated', { date: <DateText instant={project.modified} isAgo /> }),
          ]}
        />
        <Details project={project} reason={reason} />
      </div>
      {isTrashed ? (
        <ButtonForm action={`/mine/trash/${project.id}/restore/`} variant="quiet">
          <NamedAction action={t('form.restore')} name={project.title} />
        </ButtonForm>
      ) : (
        project.status !== removed && (
          <QuietLink href={`${projectPath(project)}edit/`}>
            <NamedAction action={t('form.edit')} name={project.title} />
          </QuietLink>
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
