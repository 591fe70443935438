// /content/<uuid>/<slug>/: the page of a project (`html_url` in the API). Any other slug redirects to the current one.

import { displayName } from '../../gallery/contributors/contributor.ts';
import type { Media } from '../../gallery/media/media.ts';
import { countWithdrawnFiles } from '../../gallery/media/rows.ts';
import { loadReasons } from '../../gallery/moderation/log.ts';
import { lineagePath, projectPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import { loadPins } from '../../gallery/profiles/profile.ts';
import { archived, published, type Status } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { isPublic } from '../../gallery/projects/visibility.ts';
import { findOwnRating } from '../../gallery/ratings/rate.ts';
import { isAnonymous, type Viewer } from '../../gallery/viewer.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import {
  codeScript,
  editingStylesheet,
  enlargeScript,
  formsScript,
  listNeighboursScript,
  modelScript,
  projectStylesheet,
  shareScript,
  textToolsScript,
  videoPlayerScript,
} from '../assets.ts';
import { loadBookmarkButton } from '../bookmarks/bookmarks.tsx';
import { DeletedNotice, loadDeleted } from '../editing/deleted.tsx';
import { loadFollowButton } from '../follows/follow-button.tsx';
import { type CardData, Cards, loadCardData } from '../home/cards.tsx';
import { formatPageTitle } from '../home/listing.ts';
import { NewComments } from '../home/new-items.tsx';
import { withBeginning } from '../home/posters.tsx';
import { jsonAlternate, oembedAlternates } from '../layout/alternates.ts';
import { ErrorSummary } from '../layout/form.tsx';
import { Page } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { ModeratorLinks } from '../moderation/moderator-links.tsx';
import { anyone, type PageContext, type PageDependencies, page } from '../page.ts';
import { excerpt, truncate } from '../text/markdown.ts';
import { withNames } from '../text/names.ts';
import { toTextPictures } from '../text/pictures.ts';
import { renderMarkdownText } from '../text/rendering.ts';
import { type ArticleData, ProjectArticle } from './article.tsx';
import { CommentForm } from './comment-form.tsx';
import { Comments, type CommentThread, loadThread } from './comments.tsx';
import { type Comparison, loadPictureComparison, PictureComparison } from './comparison.tsx';
import { hasPictures } from './files.tsx';
import { createProjectPage, findIfVisible } from './find-project.ts';
import { ProjectMetadata } from './metadata.tsx';
import { ListNeighbours, loadMoreProjects, MoreProjects, type MoreProjectsData } from './more-projects.tsx';
import { PictureViewer } from './picture-viewer.tsx';
import { hasModels, loadPrograms } from './programs.tsx';
import { PublishedNotice } from './share.tsx';
import { findPlayer } from './video-player.tsx';

/** The lineage page and the list of copies have the others. */
const maxCopies = 3;

export const showProjectPage = createProjectPage(projectPath, renderProjectPage);

interface ProjectPageData extends ArticleData {
  readonly copies: CardData;
  readonly comparison: Comparison | undefined;
  readonly thread: CommentThread;
  readonly areProgramsComplete: boolean;
  readonly more: MoreProjectsData | undefined;
  /** A comment that the viewer has just deleted. */
  readonly deleted: Project | undefined;
}

async function loadProjectPageData(context: PageContext, project: Project): Promise<ProjectPageData> {
  const { viewer, url, database, projects, files } = context;
  const mediaLoaded = projects.loadMedia([project.id]).then((found) => found.get(project.id) ?? []);
  const [
    copiedFrom,
    parent,
    copies,
    thread,
    media,
    html,
    rating,
    reasons,
    pins,
    withdrawnFiles,
    more,
    deleted,
    followButton,
    bookmarkButton,
  ] = await Promise.all([
    project.copied_from === null ? undefined : findIfVisible(projects.find(viewer, project.copied_from)),
    projects.findParent(viewer, project),
    loadCopies(projects, viewer, project),
    loadThread(context, viewer, project, url.query),
    mediaLoaded,
    renderText(context, project, mediaLoaded),
    isAnonymous(viewer) ? undefined : findOwnRating(database, viewer, project.id),
    loadReasons(database, [project]),
    isPinnable(viewer, project) ? loadPins(database, project.contributor) : undefined,
    project.copied_from === null ? 0 : countWithdrawnFiles(database, project.id),
    loadMoreProjects(projects, viewer, project),
    loadDeleted(context),
    loadFollowButton(context, {
      followed: { contributor: project.contributor },
      name: displayName(project),
      next: projectPath(project),
      showsName: true,
    }),
    loadBookmarkButton(context, project),
  ]);
  const reason = reasons.get(project.id);
  const comparison = copiedFrom && (await loadPictureComparison(context, copiedFrom, media));
  const shown = { html, media, ...(await loadPrograms(files, media)) };
  return {
    copiedFrom,
    comparison,
    parent,
    copies,
    thread,
    ...shown,
    withdrawnFiles,
    rating,
    reason,
    pins,
    more,
    deleted,
    followButton,
    bookmarkButton,
  };
}

/** With the pictures and the names in it. */
async function renderText(
  { database, viewer, fragments }: PageContext,
  { text, title }: Project,
  mediaLoaded: Promise<readonly Media[]>,
): Promise<string> {
  const [[named], media] = await Promise.all([withNames(database, viewer, [{ text, title }]), mediaLoaded]);
  return renderMarkdownText({ text, title, ...named, pictures: toTextPictures(media) }, fragments);
}

/** Its author may pin it. */
const isPinnable = (viewer: Viewer, { contributor, content_type, status }: Project) =>
  contributor === viewer.contributor && content_type !== 'comment' && isOpen(status);

const isOpen = (status: Status) => status === published || status === archived;

const containsCode = (html: string) => html.includes('<pre>');

async function renderProjectPage(context: PageContext, project: Project) {
  const { content_type } = project;
  const page = await renderContent(context, project);
  return { ...page, onSend: (headers: Headers) => context.views.add(content_type, headers) };
}

async function renderContent(context: PageContext, project: Project) {
  const { origin, layout, formErrors, t } = context;
  const data = await loadProjectPageData(context, project);
  const { copiedFrom, parent, copies, thread, media } = data;
  const shown = withBeginning(project);
  const { text, title } = shown;
  const abstract = context.fragments.text(['abstract', text, title], () => excerpt(text, title));
  const path = projectPath(project);
  const player = findPlayer(project, context.playerHosts);
  const isIndexed = isPublic(project);
  const canComment = isOpen(project.status);
  const canWrite = canComment && can(layout.viewer, 'comment', project.contributor);
  const hasCode = [data.html, ...thread.html.values()].some(containsCode) || data.programs.length > 0;
  const pageUrl = createPageUrl(path);
  return context.render(
    <Page
      title={formatPageTitle(layout.language, project.title, thread.number)}
      description={truncate(abstract, 160) || t('project.by', { name: displayName(project) })}
      canonical={`${origin}${pageUrl(thread.number)}`}
      alternates={[
        jsonAlternate(`${path}?format=json`),
        ...(isIndexed ? oembedAlternates(`${origin}${path}`, project.title) : []),
      ]}
      isPublic={data.areProgramsComplete && (isIndexed || isAnonymous(layout.viewer))}
      isIndexed={isIndexed}
      scripts={getScripts(data, { hasCode, canComment, canWrite, hasPlayer: player !== undefined })}
      framedOrigin={player?.origin}
      stylesheets={[projectStylesheet, ...(canWrite ? [editingStylesheet] : [])]}
      head={
        isIndexed && (
          <ProjectMetadata
            project={shown}
            media={media}
            abstract={abstract}
            copiedFrom={copiedFrom}
            parent={parent}
            answers={{ accepted: thread.accepted, count: thread.count }}
            origin={origin}
          />
        )
      }
    >
      <DeletedNotice project={data.deleted} />
      {context.url.query.has('published') && <PublishedNotice project={project} origin={origin} />}
      {!canComment && <ErrorSummary formErrors={formErrors} />}
      <ModeratorLinks
        contributor={{ id: project.contributor, username: project.username }}
        project={project}
      />
      <ProjectArticle
        project={shown}
        {...data}
        origin={origin}
        player={player}
        hasRated={context.url.query.has('rated')}
      >
        {data.comparison && <PictureComparison {...data.comparison} />}
        <Copies project={project} copies={copies} />
        {(canComment || thread.count > 0) && (
          <Comments project={project} thread={thread} pageUrl={pageUrl}>
            {isIndexed && thread.number === thread.last && (
              <NewComments project={project} thread={thread} pageUrl={pageUrl} />
            )}
            {canComment && <CommentForm project={project} formErrors={formErrors} />}
          </Comments>
        )}
      </ProjectArticle>
      <ListNeighbours />
      {data.more && <MoreProjects project={project} more={data.more} />}
      {hasPictures(media) && <PictureViewer />}
    </Page>,
  );
}

type PagePart = 'hasCode' | 'hasPlayer' | 'canComment' | 'canWrite';

const getScripts = ({ media }: ProjectPageData, parts: Readonly<Record<PagePart, boolean>>) => [
  shareScript,
  listNeighboursScript,
  ...(parts.canComment ? [formsScript] : []),
  ...(parts.canWrite ? [textToolsScript] : []),
  ...(hasPictures(media) ? [enlargeScript] : []),
  ...(parts.hasPlayer ? [videoPlayerScript] : []),
  ...(parts.hasCode ? [codeScript] : []),
  ...(hasModels(media) ? [modelScript] : []),
];

function Copies({ project, copies }: { project: Project; copies: CardData }) {
  const { t } = useLanguage();
  if (copies.projects.length === 0) return null;
  const visibleCopies = { ...copies, projects: copies.projects.slice(0, maxCopies) };
  return (
    <section class="copies" aria-labelledby="copies">
      <h2 id="copies">{t('home.remixes')}</h2>
      <Cards data={visibleCopies} level="h3" hidesSource />
      <p class="more">
        <a href={lineagePath(project)}>{t('lineage.tree')}</a>
        {copies.projects.length > maxCopies && (
          <>
            {' · '}
            <a href={`/?copied_from=${project.id}`}>{t('project.allRemixes')}</a>
          </>
        )}
      </p>
    </section>
  );
}

/** Loads one copy more than is shown, to know whether there are more. */
async function loadCopies(
  projects: PageDependencies['projects'],
  viewer: Viewer,
  { id }: Project,
): Promise<CardData> {
  const listing = projects.list(viewer, projects.parseFilter('copied_from', String(id)));
  return loadCardData(projects, viewer, await listing.page(0, maxCopies + 1));
}

export const projectRoutes = [
  page(
    [
      '/content/:uuid/',
      '/content/:uuid/:slug/',
      '/content/:uuid/:slug/copy/',
      '/content/:uuid/:slug/rate/',
      '/content/:uuid/:slug/pin/',
      '/content/:uuid/:slug/comment/',
      '/content/:uuid/:slug/answer/',
      '/content/:uuid/:slug/status/',
    ],
    anyone,
    showProjectPage,
  ),
];
