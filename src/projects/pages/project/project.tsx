// /content/<uuid>/<slug>/: the page of a project (`html_url` in the API). Any other slug redirects to the current one.

import { createPageUrl } from '#rest/pagination.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { excerpt, truncate } from '../../../core/markdown/markdown.ts';
import { adminStylesheet, formsScript, loadMoreScript } from '../../../core/pages/assets.ts';
import { jsonAlternate } from '../../../core/pages/layout/alternates.ts';
import { withDots } from '../../../core/pages/layout/components.tsx';
import { ErrorSummary } from '../../../core/pages/layout/form.tsx';
import { Page } from '../../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { anyone, loadSections, type PageContext, page } from '../../../core/pages/page.ts';
import { projectPath } from '../../../core/paths.ts';
import { isPubliclyReadable } from '../../../core/project-status.ts';
import { can } from '../../../core/viewer/permissions.ts';
import { isAnonymous, type Viewer } from '../../../core/viewer/viewer.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { isPublic } from '../../visibility/visible-to.ts';
import { DeletedNotice } from '../editing/deleted.tsx';
import { DescribeForm } from '../editing/describe.tsx';
import { formatPageTitle } from '../list/list-query.ts';
import { withBeginning } from '../list/posters.tsx';
import { NewComments } from '../new-items.tsx';
import {
  codeScript,
  editingStylesheet,
  enlargeScript,
  listNeighboursScript,
  modelScript,
  projectStylesheet,
  shareScript,
  textToolsScript,
  videoPlayerScript,
} from '../project-assets.ts';
import { ProjectArticle, staysWithGroup, useLinksBelow } from './article.tsx';
import { CommentForm } from './comment-form.tsx';
import { Comments } from './comments.tsx';
import { findPlayedFiles } from './file-player.tsx';
import { createProjectPage } from './find-project.ts';
import { ProjectMetadata } from './metadata.tsx';
import { ListNeighbours, MoreProjects } from './more-projects.tsx';
import { type CopiesData, loadProjectPageData, type ProjectPageData } from './page-data.ts';
import { PictureViewer } from './picture-viewer.tsx';
import { hasModels } from './programs.tsx';
import { PublishedNotice } from './share.tsx';
import { hasPictures } from './shown-files.tsx';
import { findPlayer } from './video-player.tsx';

export const showProjectPage = createProjectPage(projectPath, renderProjectPage);

const containsCode = (html: string) => html.includes('<pre>');

async function renderProjectPage(context: PageContext, project: Project) {
  const [page, sent] = await Promise.all([
    renderContent(context, project),
    loadSections(context, 'project.sent', project),
  ]);
  const onSend = (headers: Headers) => {
    for (const notify of sent) notify(headers);
  };
  return { ...page, onSend };
}

async function renderContent(context: PageContext, project: Project) {
  const { origin, layout, t } = context;
  const data = await loadProjectPageData(context, project);
  const { copiedFrom, parent, copies, thread, media } = data;
  const shown = withBeginning(project);
  const { text, title } = shown;
  const abstract = context.fragments.text(['abstract', text, title], () => excerpt(text, title));
  const about = { project: shown, abstract, media: [...media, ...findCoverOf(data)] };
  const path = projectPath(project);
  const player = findPlayer(project, context.playerHosts);
  const played = findPlayedFiles(context, project, media);
  const playerOrigins = [...(player ? [player] : []), ...played.map(({ address }) => address)].map(
    (place) => place.origin,
  );
  const isIndexed = isPublic(project);
  const hasReaders = isPubliclyReadable(project.status) || staysWithGroup(project, data);
  const canComment = hasReaders && !thread.closed.has(project.id);
  const canWrite = canComment && can(layout.viewer, 'comment', project.contributor);
  const hasCode = [data.html, ...thread.html.values()].some(containsCode) || data.programs.length > 0;
  const pageUrl = createPageUrl(path);
  // The form of the notice has its own errors.
  const isPublished = context.url.query.has('published');
  const formErrors = isPublished ? undefined : context.formErrors;
  return context.render(
    <Page
      title={formatPageTitle(layout.language, project.title, thread.number)}
      description={truncate(abstract, 160) || t('project.by', { name: displayName(project) })}
      canonical={`${origin}${pageUrl(thread.number)}`}
      alternates={[jsonAlternate(`${path}?format=json`), ...data.alternates]}
      isPublic={data.areProgramsComplete && (isIndexed || isAnonymous(layout.viewer))}
      isIndexed={isIndexed && !data.isLookedAfter}
      scripts={getScripts(data, { hasCode, canComment, canWrite, hasPlayer: playerOrigins.length > 0 })}
      framedOrigins={playerOrigins}
      stylesheets={getStylesheets(layout.viewer, canWrite)}
      head={
        isIndexed && (
          <>
            {await loadSections(context, 'project.head', about)}
            <ProjectMetadata
              {...about}
              copiedFrom={copiedFrom}
              parent={parent}
              parts={data.parts?.works.projects}
              answers={{ accepted: thread.accepted, count: thread.count }}
              origin={origin}
            />
          </>
        )
      }
    >
      <DeletedNotice project={data.deleted} />
      {isPublished && (
        <PublishedNotice project={project} origin={origin}>
          <DescribeForm context={context} project={project} media={media} />
        </PublishedNotice>
      )}
      {!canComment && <ErrorSummary formErrors={formErrors} />}
      {data.moderation}
      <ProjectArticle
        project={shown}
        {...data}
        origin={origin}
        player={player}
        played={played}
        hasRated={context.url.query.has('rated')}
      >
        {data.remixSections}
        {copies && <Copies project={project} copies={copies} />}
        {data.related}
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

const getScripts = ({ media, parts }: ProjectPageData, has: Readonly<Record<PagePart, boolean>>) => [
  shareScript,
  listNeighboursScript,
  ...(parts ? [loadMoreScript] : []),
  ...(has.canComment ? [formsScript] : []),
  ...(has.canWrite ? [textToolsScript] : []),
  ...(hasPictures(media) ? [enlargeScript] : []),
  ...(has.hasPlayer ? [videoPlayerScript] : []),
  ...(has.hasCode ? [codeScript] : []),
  ...(hasModels(media) ? [modelScript] : []),
];

const getStylesheets = ({ isModerator }: Viewer, canWrite: boolean) => [
  projectStylesheet,
  ...(canWrite ? [editingStylesheet] : []),
  ...(isModerator ? [adminStylesheet] : []),
];

/** That of its first part. */
function findCoverOf({ parts }: ProjectPageData): Media[] {
  const [first] = parts?.works.projects ?? [];
  const cover = first && parts?.works.covers.get(first.id)?.media;
  return cover ? [cover] : [];
}

interface CopiesProps {
  readonly project: Project;
  readonly copies: CopiesData;
}

declare module '../../../core/pages/layout/layout-data.ts' {
  interface LinkPlaces {
    /** Pages below that of a project, below its copies. */
    'project.copies': true;
  }
}

function Copies({ project, copies }: CopiesProps) {
  const { t } = useLanguage();
  const links = useLinksBelow('project.copies', project);
  return (
    <section class="copies" aria-labelledby="copies">
      <h2 id="copies">{t('home.remixes')}</h2>
      {copies.cards}
      {(links.length > 0 || copies.hasMore) && (
        <p class="more">
          {withDots([
            ...links,
            copies.hasMore && <a href={`/?copied_from=${project.id}`}>{t('project.allRemixes')}</a>,
          ])}
        </p>
      )}
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
      '/content/:uuid/:slug/describe/',
      '/content/:uuid/:slug/status/',
    ],
    anyone,
    showProjectPage,
  ),
];
