// /my-class/: what the people of a class open every day. Somebody in several classes chooses one in the address.

import sql, { join, type Sql } from 'sql-template-tag';
import { NotFound } from '#common/errors.ts';
import { all, pick } from '#sql';
import { parseId } from '../../core/ids.ts';
import {
  Byline,
  ContributorLink,
  DateText,
  LinkItem,
  LinkTabs,
  QuietLink,
} from '../../core/pages/layout/components.tsx';
import { Page } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ListLinks } from '../../core/pages/list-links.tsx';
import { loadSections, type PageContext, page } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { draft, hasPublicStatus, hasStatus, isNotInTrash, waiting } from '../../core/project-status.ts';
import type { Viewer } from '../../core/viewer/viewer.ts';
import { renderOwnCards } from '../../projects/pages/editing/own-projects.tsx';
import { Cards, loadCardData } from '../../projects/pages/list/cards.tsx';
import { Shelf, ShelfLink } from '../../projects/pages/list/shelf.tsx';
import { ownCardsStylesheet } from '../../projects/pages/project-assets.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import { type Project, projectColumns, shownColumns } from '../../projects/project.ts';
import type { ProjectReference } from '../../projects/reading/find-projects.ts';
import { loadVisible } from '../../projects/reading/listing.ts';
import { discoverableBy, isPublic, readableBy } from '../../projects/visibility/visible-to.ts';
import { classPath } from './class-page.tsx';
import { classesOf, taughtClasses } from './class-people.ts';
import { ClassSections } from './class-sections.tsx';
import { homePath, myClassPath } from './path.ts';
import { staysInClassSql } from './readable.ts';
import { listWaitingIn } from './waiting.tsx';

/** Two rows on wide screens. */
const maxShown = 8;
const maxComments = 5;

interface ClassHome {
  readonly collection: Project;
  readonly isTeacher: boolean;
}

declare module '../../core/pages/page.ts' {
  interface Places {
    /** Below the heading of the page that people of a class open. */
    'class.home': Section<ClassHome>;
  }
}

/** The one that looks after the viewer, then the newest. */
export async function listClasses({ database, viewer }: PageContext): Promise<Project[]> {
  const ids = classesOf(viewer);
  if (ids.length === 0) return [];
  return all(database, shownColumns)`from project where id in (${join(ids)}) and ${readableBy(viewer)}
    order by case when id = ${viewer.lookedAfterBy ?? 0} then 0 else 1 end, created desc, id desc`;
}

async function showMyClassPage(context: PageContext) {
  const { viewer, url, t } = context;
  const classes = await listClasses(context);
  if (classes.length === 0) return showNoClass(context);
  const asked = url.query.get('class');
  const collection = asked === null ? classes[0] : classes.find(({ id }) => id === parseId(asked));
  if (!collection) throw new NotFound();
  const isTeacher = taughtClasses(viewer).includes(collection.id);
  return context.render(
    <Page title={`${t('myClass.title')} · ${collection.title}`} stylesheets={[ownCardsStylesheet]}>
      {classes.length > 1 && (
        <LinkTabs label={t('myClass.choose')}>
          {classes.map((one) => (
            <LinkItem href={homePath(one)} current={one === collection && 'page'}>
              <bdi>{one.title}</bdi>
            </LinkItem>
          ))}
        </LinkTabs>
      )}
      <h1>
        <bdi>{collection.title}</bdi>
      </h1>
      {isTeacher && <ClassSections collection={collection} />}
      {await loadSections(context, 'class.home', { collection, isTeacher })}
      {isTeacher && (await renderWaitingNotice(context, collection))}
      <div class="buttons">
        <a class="button" href="/new/?visibility=class">
          {t('myClass.make')}
        </a>
        {isTeacher && <QuietLink href={classPath(collection, 'class/')}>{t('myClass.people')}</QuietLink>}
      </div>
      {!isTeacher && (await renderOwn(context, collection))}
      {await renderNewest(context, collection, isTeacher)}
    </Page>,
  );
}

/** A class may be hidden from its members for a while. */
const showNoClass = (context: PageContext) =>
  context.render(
    <Page title={context.t('myClass.title')} status={404}>
      <h1>{context.t('myClass.title')}</h1>
      <p class="empty">{context.t('myClass.none')}</p>
    </Page>,
  );

async function renderWaitingNotice(context: PageContext, collection: Project) {
  const count = await listWaitingIn(context, collection).count();
  if (count === 0) return undefined;
  return (
    <p class="notice">
      <a href={classPath(collection, 'class/waiting/')}>{context.t('myClass.waiting', { count })}</a>
    </p>
  );
}

const isInClass = ({ id }: Project): Sql =>
  sql`id in (select project from collection_item where collection = ${id} and state = 'included')`;

/** The viewer's works that the class has, and those that nobody sees yet. */
const isOwn = ({ contributor }: Viewer, collection: Project): Sql =>
  sql`contributor = ${contributor} and ${isNotInTrash} and content_type not in ('comment', 'collection')
    and (${hasStatus([draft, waiting])} or ${isInClass(collection)})`;

async function renderOwn(context: PageContext, collection: Project) {
  const { database, viewer, t } = context;
  const own = await all(database.slowReader, shownColumns)`from project where ${isOwn(viewer, collection)}
    order by case when ${hasStatus([draft])} then 0 else 1 end, modified desc, id desc limit ${maxShown}`;
  return (
    <>
      <Shelf id="own" title="myClass.own" links={<ShelfLink href="/mine/" text="layout.ownProjects" />}>
        {own.length === 0 ? (
          <p class="empty">{t('myClass.noneOwn')}</p>
        ) : (
          await renderOwnCards(context, own, 'h3')
        )}
      </Shelf>
      {own.length > 0 && (await renderComments(context, collection))}
    </>
  );
}

/** The latest comments of others on the viewer's works. */
async function renderComments({ database, projects, viewer }: PageContext, collection: Project) {
  const comments = await all(database.slowReader, shownColumns)`from project
    where content_type = 'comment' and root in (select id from project where ${isOwn(viewer, collection)})
      and contributor <> ${viewer.contributor} and ${hasPublicStatus} and ${discoverableBy(viewer)}
    order by created desc, id desc limit ${maxComments}`;
  if (comments.length === 0) return undefined;
  const answered = await projects.loadReferences(
    viewer,
    comments.flatMap(({ parent }) => parent ?? []),
  );
  return (
    <Shelf id="comments" title="myClass.comments">
      <ul class="rows narrow">
        {comments.map((comment) => (
          <CommentRow comment={comment} answered={answered.get(comment.parent ?? 0)} />
        ))}
      </ul>
    </Shelf>
  );
}

interface CommentRowProps {
  readonly comment: Project;
  /** The work, or another comment. */
  readonly answered: ProjectReference | undefined;
}

function CommentRow({ comment, answered }: CommentRowProps) {
  const { rich } = useLanguage();
  return (
    <li>
      <div>
        <ProjectLink project={comment} />
        <Byline
          parts={[
            <ContributorLink project={comment} />,
            answered && rich('cards.on', { project: <ProjectLink project={answered} /> }),
            <DateText instant={comment.created} isAgo />,
          ]}
        />
      </div>
    </li>
  );
}

/** Members have their own works above. */
async function renderNewest(context: PageContext, collection: Project, isTeacher: boolean) {
  const { database, projects, viewer, t } = context;
  const isShown = sql`item.collection = ${collection.id} and item.state = 'included' and project.visibility <> 'private'
    and (${hasPublicStatus} or ${staysInClassSql('project')}) and ${discoverableBy(viewer)}`;
  const isOfOthers = sql`project.contributor <> ${isTeacher ? 0 : viewer.contributor}`;
  const ids = await all(database.slowReader, pick(projectColumns, 'id'))`from project
    join collection_item as item on item.project = project.id
    where ${isShown} and ${isOfOthers} order by item.added desc, id desc limit ${maxShown}`;
  const newest = await loadVisible(
    database,
    ids.map(({ id }) => id),
    discoverableBy(viewer),
  );
  // A projector shows what everybody sees: of a hidden class, nothing.
  const shown = new URLSearchParams(isPublic(collection) ? { collection: String(collection.id) } : {});
  const links = isTeacher ? (
    <ListLinks query={shown} />
  ) : (
    <ShelfLink href={projectPath(collection)} text="myClass.all" />
  );
  return (
    <Shelf id="newest" title="myClass.newest" links={links}>
      {newest.length === 0 ? (
        <p class="empty">{t('myClass.noneNew')}</p>
      ) : (
        <Cards data={await loadCardData(projects, viewer, newest)} level="h3" />
      )}
    </Shelf>
  );
}

export const myClassRoutes = [page(myClassPath, 'changeCollection', showMyClassPage)];
