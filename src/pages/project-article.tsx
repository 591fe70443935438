// A project on its own page: its origin, its files, its text and what the viewer can do.

import { raw } from 'hono/html';
import { displayName } from '../gallery/contributors/contributor.ts';
import type { Media } from '../gallery/media/media.ts';
import { lineagePath } from '../gallery/paths.ts';
import type { Project } from '../gallery/projects/project.ts';
import { archived, draft, published, removed } from '../gallery/projects/status.ts';
import { parseTags } from '../gallery/projects/tags.ts';
import { DateText } from './dates.tsx';
import { ContributorLink, getHeading, ProjectLink } from './links.tsx';
import { ProjectMedia } from './media.tsx';
import { formatHost } from './posters.tsx';
import { ProjectActions } from './project-actions.tsx';
import { tagHref } from './tags.tsx';
import { typeNames } from './type-names.ts';

/** The data of the article besides the project. */
export interface ArticleData {
  readonly copiedFrom: Project | undefined;
  readonly parent: Project | undefined;
  readonly media: readonly Media[];
  /** Of a copy: see `countWithdrawnFiles`. */
  readonly withdrawnFiles: number;
  /** The text as HTML. */
  readonly html: string;
  /** The viewer's own rating. */
  readonly rating: number | undefined;
  readonly removalReason: string | undefined;
}

interface ProjectArticleProps extends ArticleData {
  readonly project: Project;
  readonly origin: string;
}

export function ProjectArticle(props: ProjectArticleProps) {
  const { project, copiedFrom, parent, media, withdrawnFiles, html, rating, removalReason, origin } = props;
  return (
    <article class={`project of-${project.content_type}`}>
      <header>
        <p class="eyebrow">
          <a href={`/?content_type=${project.content_type}`}>{typeNames[project.content_type].one}</a>
        </p>
        <h1 dir="auto">{getHeading(project)}</h1>
        <p class="byline">
          <ContributorLink project={project} rel="author" hasAvatar />
          {' · '}
          <DateText instant={project.created} />
          {project.modified > project.created && (
            <>
              {' · updated '}
              <DateText instant={project.modified} />
            </>
          )}
        </p>
        <Origin project={project} copiedFrom={copiedFrom} parent={parent} />
        <VisibilityNotices project={project} removalReason={removalReason} />
      </header>
      {project.link && <ExternalLink link={project.link} />}
      <ProjectMedia media={media} />
      {withdrawnFiles > 0 && (
        <p class="notice">
          {withdrawnFiles === 1
            ? 'A file is no longer here, because it was deleted from the original.'
            : `${withdrawnFiles} files are no longer here, because they were deleted from the original.`}
        </p>
      )}
      <div class="text" dir="auto">
        {raw(html)}
      </div>
      <div class="sidebar">
        <Facts project={project} />
        <Tags tags={parseTags(project)} />
        <ProjectActions project={project} rating={rating} origin={origin} />
      </div>
    </article>
  );
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
    [draft]: 'This is a draft. Nobody else can see it.',
    [published]: undefined,
    [archived]: 'This project is archived. You can still look at it, but it is no longer listed.',
    [removed]: 'A moderator removed this. Only you and moderators can see it.',
  };
  const visibilityNotices = {
    public: undefined,
    unlisted: 'This project is unlisted. Anyone with the link can see it.',
    private: 'This project is private. Only its author and moderators can see it.',
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
          Reason for removal: {removalReason}
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
          Comment on <ProjectLink project={parent} /> by <bdi>{displayName(parent)}</bdi>
        </p>
      )}
      {copiedFrom && (
        <p class="credit">
          Remix of <ProjectLink project={copiedFrom} /> by <ContributorLink project={copiedFrom} />.{' '}
          <a href={lineagePath(project)}>See the remix tree</a>
        </p>
      )}
      {project.copied_from !== null && !copiedFrom && (
        <p class="credit">Remix of a project that isn’t available.</p>
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
        <dd>
          {karma.toLocaleString('en')}{' '}
          <small class="faint">from good ratings, remixes and comments by others</small>
        </dd>
      </div>
      <div>
        <dt>Rating</dt>
        <dd>
          {rating_count === 0
            ? 'No ratings yet'
            : `${(rating_sum / rating_count).toFixed(1)} of 5 (${rating_count.toLocaleString('en')} ${rating_count === 1 ? 'rating' : 'ratings'})`}
        </dd>
      </div>
    </dl>
  );
}
