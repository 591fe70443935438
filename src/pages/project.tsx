// /content/<uuid>/<slug>/: the page of a project (`html_url` in the API). Any other slug redirects to the current one.

import { raw } from 'hono/html';
import { NotFound } from '../errors.ts';
import { displayName } from '../gallery/contributors/contributor.ts';
import { loadRemovalReasons } from '../gallery/moderation/log.ts';
import { lineagePath, projectPath } from '../gallery/paths.ts';
import type { Project } from '../gallery/projects/project.ts';
import { archived, draft, isPubliclyReadable, published, removed } from '../gallery/projects/status.ts';
import { parseTags } from '../gallery/projects/tags.ts';
import { findOwnRating } from '../gallery/ratings/find.ts';
import { isAnonymous, type Viewer } from '../gallery/viewer.ts';
import { createPageUrl } from '../rest/pagination.ts';
import { jsonAlternate, oembedAlternates } from './alternates.ts';
import { type CardData, Cards, formatHost, loadCardData } from './cards.tsx';
import { Comments, loadThread } from './comments.tsx';
import { DateText } from './dates.tsx';
import { createProjectPage } from './find-project.ts';
import { renderPage } from './layout.tsx';
import { ContributorLink, ProjectLink } from './links.tsx';
import { formatPageTitle } from './listing.ts';
import { excerpt, toHtml } from './markdown.ts';
import { ProjectMedia } from './media.tsx';
import type { PageContext, PageDependencies } from './page-context.ts';
import { CommentForm, ProjectActions } from './project-actions.tsx';
import { ProjectMetadata } from './project-metadata.tsx';
import { tagHref } from './tags.tsx';

/** The lineage page and the list of copies have the others. */
const maxCopies = 3;

export const showProjectPage = createProjectPage(projectPath, renderProjectPage);

async function renderProjectPage(
  { database, projects, timeZone }: PageDependencies,
  context: PageContext,
  project: Project,
) {
  const { url, origin, viewer, layout, formErrors } = context;
  const path = projectPath(project);
  const [copiedFrom, parent, copies, thread, mediaByProject, rating, reasons] = await Promise.all([
    findIfVisible(projects, viewer, project.copied_from),
    findIfVisible(projects, viewer, project.parent),
    loadCopies(projects, viewer, project),
    loadThread(projects, viewer, project, url.query),
    projects.loadMedia([project.id]),
    isAnonymous(viewer) ? undefined : findOwnRating(database, viewer, project.id),
    loadRemovalReasons(database, project.status === removed ? [project.id] : []),
  ]);
  const media = mediaByProject.get(project.id) ?? [];
  const isIndexed = project.visibility === 'public' && isPubliclyReadable(project.status);
  const pageUrl = createPageUrl(path);
  return renderPage(layout, {
    title: formatPageTitle(project.title, thread.number),
    description: excerpt(project.text, project.title, 160) || `By ${displayName(project)}.`,
    canonical: `${origin}${pageUrl(thread.number)}`,
    alternates: [
      jsonAlternate(`/api/v1/projects/${project.id}/?format=json`),
      ...(isIndexed ? oembedAlternates(`${origin}${path}`, project.title) : []),
    ],
    isIndexed,
    head: isIndexed && (
      <ProjectMetadata
        project={project}
        media={media}
        copiedFrom={copiedFrom}
        parent={parent}
        origin={origin}
        timeZone={timeZone}
      />
    ),
    children: (
      <>
        <article class={`project of-${project.content_type}`}>
          <header>
            <p class="eyebrow">
              <a href={`/?content_type=${project.content_type}`}>{project.content_type}</a>
            </p>
            <h1 dir="auto">{project.title}</h1>
            <p class="byline">
              by <ContributorLink project={project} rel="author" />
              {' · '}
              <DateText instant={project.created} timeZone={timeZone} />
              {project.modified > project.created && (
                <>
                  {' · changed '}
                  <DateText instant={project.modified} timeZone={timeZone} />
                </>
              )}
            </p>
            <Origin project={project} copiedFrom={copiedFrom} parent={parent} />
            <VisibilityNotices project={project} removalReason={reasons.get(project.id)} />
          </header>
          {project.link && <ExternalLink link={project.link} />}
          <ProjectMedia media={media} />
          <div class="text" dir="auto">
            {raw(toHtml(project.text, project.title))}
          </div>
          <div class="sidebar">
            <Facts project={project} />
            <Tags tags={parseTags(project)} />
            <ProjectActions project={project} layout={layout} rating={rating} origin={origin} />
          </div>
        </article>
        <Copies project={project} copies={copies} timeZone={timeZone} />
        <Comments project={project} thread={thread} timeZone={timeZone} viewer={viewer} pageUrl={pageUrl}>
          <CommentForm project={project} layout={layout} formErrors={formErrors} />
        </Comments>
      </>
    ),
  });
}

/** Says who can see the project, unless everybody can. */
function VisibilityNotices({
  project: { status, visibility },
  removalReason,
}: {
  project: Project;
  removalReason: string | undefined;
}) {
  const statusNotices = {
    [draft]: 'This is a draft: nobody else sees it.',
    [published]: undefined,
    [archived]: 'This project is archived: it stands as it was left.',
    [removed]: 'A moderator has removed this: nobody but you and moderators see it.',
  };
  const visibilityNotices = {
    public: undefined,
    unlisted: 'This project is in no list: whoever has its address can read it.',
    private: 'This project is private: only its maker and moderators see it.',
  };
  return (
    <>
      {[statusNotices[status], visibilityNotices[visibility]]
        .filter((notice) => notice !== undefined)
        .map((notice) => (
          <p class="notice">{notice}</p>
        ))}
      {removalReason && (
        <p class="notice" dir="auto">
          Why it was removed: {removalReason}
        </p>
      )}
    </>
  );
}

/** The project that this one was copied from, or that a comment is about. */
function Origin({
  project,
  copiedFrom,
  parent,
}: {
  project: Project;
  copiedFrom: Project | undefined;
  parent: Project | undefined;
}) {
  return (
    <>
      {parent && (
        <p class="credit">
          A comment on <ProjectLink project={parent} /> by <bdi>{displayName(parent)}</bdi>
        </p>
      )}
      {copiedFrom && (
        <p class="credit">
          A copy of <ProjectLink project={copiedFrom} /> by <ContributorLink project={copiedFrom} />.{' '}
          <a href={lineagePath(project)}>See the whole family</a>
        </p>
      )}
      {project.copied_from !== null && !copiedFrom && (
        <p class="credit">A copy of something that is gone, or not for everyone to see.</p>
      )}
    </>
  );
}

function ExternalLink({ link }: { link: string }) {
  return (
    <p class="link-host">
      <a href={link} rel="nofollow noopener ugc">
        <span class="host">{formatHost(link)}</span>
        <span class="full-url">{link}</span>
      </a>
    </p>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  if (tags.length === 0) return null;
  return (
    <nav aria-label="Tags">
      <ul class="tags">
        {tags.map((tag) => (
          <li>
            <a href={tagHref(tag)} rel="tag">
              <bdi>{tag}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

function Facts({ project: { karma, rating_count, rating_sum } }: { project: Project }) {
  return (
    <dl class="facts">
      <div>
        <dt>Karma</dt>
        <dd>{karma.toLocaleString('en')}</dd>
      </div>
      <div>
        <dt>Rated</dt>
        <dd>
          {rating_count === 0
            ? 'by nobody yet'
            : `${(rating_sum / rating_count).toFixed(1)} of 5, by ${rating_count.toLocaleString('en')}`}
        </dd>
      </div>
    </dl>
  );
}

function Copies({ project, copies, timeZone }: { project: Project; copies: CardData; timeZone: string }) {
  if (copies.projects.length === 0) return null;
  const visibleCopies = { ...copies, projects: copies.projects.slice(0, maxCopies) };
  return (
    <section class="copies" aria-labelledby="copies">
      <h2 id="copies">What was made of it</h2>
      <Cards data={visibleCopies} timeZone={timeZone} level="h3" hidesOrigin />
      <p class="more">
        <a href={lineagePath(project)}>The family of copies</a>
        {copies.projects.length > maxCopies && (
          <>
            {' · '}
            <a href={`/?copied_from=${project.id}`}>All copies</a>
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
  const listing = projects.list(viewer, projects.applyFilter('copied_from', String(id)));
  const copies = (await projects.isCopied({ id })) ? await listing.page(0, maxCopies + 1) : [];
  return loadCardData(projects, viewer, copies);
}

/** Finds a related project, if the viewer may see it. */
async function findIfVisible(
  projects: PageDependencies['projects'],
  viewer: Viewer,
  id: number | null,
): Promise<Project | undefined> {
  if (id === null) return undefined;
  try {
    return await projects.find(viewer, id);
  } catch (error) {
    if (error instanceof NotFound) return undefined;
    throw error;
  }
}
