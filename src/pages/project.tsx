// /content/<uuid>/<slug>/: the page of a project (`html_url` in the API). Any other slug redirects to the current one.

import { NotFound } from '../errors.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { countWithdrawnFiles } from '../gallery/media/find.ts';
import { loadRemovalReasons } from '../gallery/moderation/log.ts';
import { lineagePath, projectPath } from '../gallery/paths.ts';
import type { Project } from '../gallery/projects/project.ts';
import { removed } from '../gallery/projects/status.ts';
import { isPublic } from '../gallery/projects/visibility.ts';
import { findOwnRating } from '../gallery/ratings/find.ts';
import { isAnonymous, type Viewer } from '../gallery/viewer.ts';
import { createPageUrl } from '../rest/pagination.ts';
import { jsonAlternate, oembedAlternates } from './alternates.ts';
import { type CardData, Cards, loadCardData } from './cards.tsx';
import { CommentForm, Comments, type CommentThread, loadThread } from './comments.tsx';
import { createProjectPage } from './find-project.ts';
import { renderPage } from './layout.tsx';
import { formatPageTitle } from './listing.ts';
import { excerpt } from './markdown.ts';
import type { PageContext, PageDependencies } from './page-context.ts';
import { type ArticleData, ProjectArticle } from './project-article.tsx';
import { ProjectMetadata } from './project-metadata.tsx';
import { renderMarkdownText } from './text-rendering.ts';

/** The lineage page and the list of copies have the others. */
const maxCopies = 3;

export const showProjectPage = createProjectPage(projectPath, renderProjectPage);

interface ProjectPageData extends ArticleData {
  readonly copies: CardData;
  readonly thread: CommentThread;
}

async function loadProjectPageData(
  { database, projects }: PageDependencies,
  { viewer, url }: PageContext,
  project: Project,
): Promise<ProjectPageData> {
  const [copiedFrom, parent, copies, thread, mediaByProject, html, rating, reasons, withdrawnFiles] =
    await Promise.all([
      findSource(projects, viewer, project),
      projects.findParent(viewer, project),
      loadCopies(projects, viewer, project),
      loadThread(projects, viewer, project, url.query),
      projects.loadMedia([project.id]),
      renderMarkdownText(project),
      isAnonymous(viewer) ? undefined : findOwnRating(database, viewer, project.id),
      loadRemovalReasons(database, project.status === removed ? [project.id] : []),
      project.copied_from === null ? 0 : countWithdrawnFiles(database, project.id),
    ]);
  const media = mediaByProject.get(project.id) ?? [];
  const removalReason = reasons.get(project.id);
  return { copiedFrom, parent, copies, thread, media, withdrawnFiles, html, rating, removalReason };
}

async function renderProjectPage(deps: PageDependencies, context: PageContext, project: Project) {
  const { origin, layout, formErrors } = context;
  const data = await loadProjectPageData(deps, context, project);
  const { copiedFrom, parent, copies, thread, media } = data;
  const path = projectPath(project);
  const isIndexed = isPublic(project);
  const pageUrl = createPageUrl(path);
  return renderPage(layout, {
    title: formatPageTitle(project.title, thread.number),
    description: excerpt(project.text, project.title, 160) || `By ${displayName(project)}.`,
    canonical: `${origin}${pageUrl(thread.number)}`,
    alternates: [
      jsonAlternate(`${path}?format=json`),
      ...(isIndexed ? oembedAlternates(`${origin}${path}`, project.title) : []),
    ],
    isIndexed,
    cache: isIndexed || isAnonymous(layout.viewer) ? undefined : 'no-store',
    head: isIndexed && (
      <ProjectMetadata
        project={project}
        media={media}
        copiedFrom={copiedFrom}
        parent={parent}
        origin={origin}
      />
    ),
    children: (
      <>
        <ProjectArticle project={project} {...data} origin={origin} />
        <Copies project={project} copies={copies} />
        <Comments project={project} thread={thread} pageUrl={pageUrl}>
          <CommentForm project={project} formErrors={formErrors} />
        </Comments>
      </>
    ),
  });
}

function Copies({ project, copies }: { project: Project; copies: CardData }) {
  if (copies.projects.length === 0) return null;
  const visibleCopies = { ...copies, projects: copies.projects.slice(0, maxCopies) };
  return (
    <section class="copies" aria-labelledby="copies">
      <h2 id="copies">Remixes</h2>
      <Cards data={visibleCopies} level="h3" hidesSource />
      <p class="more">
        <a href={lineagePath(project)}>Remix tree</a>
        {copies.projects.length > maxCopies && (
          <>
            {' · '}
            <a href={`/?copied_from=${project.id}`}>All remixes</a>
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
  const copies = (await projects.isCopied({ id })) ? await listing.page(0, maxCopies + 1) : [];
  return loadCardData(projects, viewer, copies);
}

/** The project that this one was copied from, if the viewer may find it. */
async function findSource(
  projects: PageDependencies['projects'],
  viewer: Viewer,
  { copied_from }: Project,
): Promise<Project | undefined> {
  if (copied_from === null) return undefined;
  try {
    return await projects.find(viewer, copied_from);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
