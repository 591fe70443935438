// /content/<uuid>/<slug>/: the page of a project (`html_url` in the API). Any other slug redirects to the current one.

import { displayName } from '../../gallery/contributors/contributor.ts';
import type { Media } from '../../gallery/media/media.ts';
import { lineagePath, projectPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import { isPubliclyReadable } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { isPublic } from '../../gallery/projects/visibility.ts';
import { isAnonymous, type Viewer } from '../../gallery/viewer.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import {
  adminStylesheet,
  codeScript,
  editingStylesheet,
  enlargeScript,
  formsScript,
  listNeighboursScript,
  loadMoreScript,
  modelScript,
  projectStylesheet,
  shareScript,
  textToolsScript,
  videoPlayerScript,
} from '../assets.ts';
import { DeletedNotice } from '../editing/deleted.tsx';
import { type CardData, Cards } from '../home/cards.tsx';
import { formatPageTitle } from '../home/listing.ts';
import { NewComments } from '../home/new-items.tsx';
import { withBeginning } from '../home/posters.tsx';
import { jsonAlternate, oembedAlternates } from '../layout/alternates.ts';
import { ErrorSummary } from '../layout/form.tsx';
import { Page } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { ModeratorLinks } from '../moderation/moderator-links.tsx';
import { anyone, type PageContext, page } from '../page.ts';
import { excerpt, truncate } from '../text/markdown.ts';
import { ProjectArticle } from './article.tsx';
import { CommentForm } from './comment-form.tsx';
import { Comments } from './comments.tsx';
import { PictureComparison } from './comparison.tsx';
import { findPlayedFiles } from './file-player.tsx';
import { hasPictures } from './files.tsx';
import { createProjectPage } from './find-project.ts';
import { ProjectMetadata } from './metadata.tsx';
import { ListNeighbours, MoreProjects } from './more-projects.tsx';
import { loadProjectPageData, maxCopies, type ProjectPageData } from './page-data.ts';
import { PictureViewer } from './picture-viewer.tsx';
import { hasModels } from './programs.tsx';
import { PublishedNotice } from './share.tsx';
import { findPlayer } from './video-player.tsx';

export const showProjectPage = createProjectPage(projectPath, renderProjectPage);

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
  const played = findPlayedFiles(context, project, media);
  const playerOrigins = [...(player ? [player] : []), ...played.map(({ address }) => address)].map(
    (place) => place.origin,
  );
  const isIndexed = isPublic(project);
  const canComment = isPubliclyReadable(project.status);
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
      isIndexed={isIndexed && !data.isLookedAfter}
      scripts={getScripts(data, { hasCode, canComment, canWrite, hasPlayer: playerOrigins.length > 0 })}
      framedOrigins={playerOrigins}
      stylesheets={getStylesheets(layout.viewer, canWrite)}
      head={
        isIndexed && (
          <ProjectMetadata
            project={shown}
            media={[...media, ...findCoverOf(data)]}
            abstract={abstract}
            copiedFrom={copiedFrom}
            parent={parent}
            parts={data.collection?.works.projects}
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
        played={played}
        hasRated={context.url.query.has('rated')}
      >
        {data.comparison && <PictureComparison {...data.comparison} />}
        <Copies project={project} copies={copies} />
        {data.collections}
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

const getScripts = ({ media, collection }: ProjectPageData, parts: Readonly<Record<PagePart, boolean>>) => [
  shareScript,
  listNeighboursScript,
  ...(collection ? [loadMoreScript] : []),
  ...(parts.canComment ? [formsScript] : []),
  ...(parts.canWrite ? [textToolsScript] : []),
  ...(hasPictures(media) ? [enlargeScript] : []),
  ...(parts.hasPlayer ? [videoPlayerScript] : []),
  ...(parts.hasCode ? [codeScript] : []),
  ...(hasModels(media) ? [modelScript] : []),
];

const getStylesheets = ({ isModerator }: Viewer, canWrite: boolean) => [
  projectStylesheet,
  ...(canWrite ? [editingStylesheet] : []),
  ...(isModerator ? [adminStylesheet] : []),
];

/** Of a collection, that of its first project. */
function findCoverOf({ collection }: ProjectPageData): Media[] {
  const [first] = collection?.works.projects ?? [];
  const cover = first && collection?.works.covers.get(first.id)?.media;
  return cover ? [cover] : [];
}

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
