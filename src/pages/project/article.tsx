// A project on its own page: its origin, its files, its text and what the viewer can do.

import { displayName } from '../../gallery/contributors/contributor.ts';
import { aboutLicense, type License } from '../../gallery/licenses.ts';
import type { Media } from '../../gallery/media/media.ts';
import { comparisonPath, lineagePath, projectPath } from '../../gallery/paths.ts';
import { archived, draft, published, removed, waiting } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { parseTags } from '../../gallery/projects/tags.ts';
import { type Child, raw } from '../../jsx/jsx-runtime.ts';
import { type CollectionData, CollectionWorks, Editors } from '../collections/collection.tsx';
import { colourOf, Poster } from '../home/posters.tsx';
import { RemovalContact } from '../home/site-texts.tsx';
import { tagHref } from '../home/tags.tsx';
import { cached } from '../layout/cached.tsx';
import {
  averageRating,
  ContributorLink,
  DateText,
  DateTimeText,
  Fact,
  getHeading,
  ProjectLink,
  reasonMessage,
  StatusBadge,
} from '../layout/components.tsx';
import { useLanguage, useLayout } from '../layout/layout-data.ts';
import { formatHost } from '../text/bare-links.ts';
import { withoutShown } from '../text/pictures.ts';
import { ProjectActions } from './actions.tsx';
import { FilePlayers, type PlayedFile } from './file-player.tsx';
import { ProjectMedia } from './files.tsx';
import { Models, type Program, Programs } from './programs.tsx';
import { type Player, VideoPlayer } from './video-player.tsx';

/** The data of the article besides the project. */
export interface ArticleData {
  readonly copiedFrom: Project | undefined;
  readonly parent: Project | undefined;
  readonly media: readonly Media[];
  /** Of a copy: see `countWithdrawnFiles`. */
  readonly withdrawnFiles: number;
  /** False for work for a class that no class has from its maker. */
  readonly isSeenByClass: boolean;
  readonly programs: readonly Program[];
  /** The text as HTML. */
  readonly html: string;
  /** The viewer's own rating. */
  readonly rating: number | undefined;
  /** For its author; undefined if the viewer cannot follow them. */
  readonly followButton: Child | undefined;
  /** Undefined for visitors. */
  readonly bookmarkButton: Child | undefined;
  /** Why a moderator removed it or sent it back. */
  readonly reason: string | undefined;
  /** The pinned projects of an author who may pin this one. */
  readonly pins: readonly string[] | undefined;
  readonly collection: CollectionData | undefined;
  /** For the owner of a work in a class. */
  readonly handInNotices?: Child;
}

interface ProjectArticleProps extends ArticleData {
  readonly project: Project;
  readonly origin: string;
  /** Of a linked video. */
  readonly player: Player | undefined;
  /** Files that other sites play. */
  readonly played: readonly PlayedFile[];
  /** The viewer has just rated it, or withdrawn the rating. */
  readonly hasRated: boolean;
  /** The remixes and the comments. */
  readonly children: Child;
}

export function ProjectArticle(props: ProjectArticleProps) {
  const { t } = useLanguage();
  const { project, media, withdrawnFiles, html, player, collection } = props;
  return (
    <article class={`project h-entry of-${project.content_type}`}>
      <header>
        <Heading
          project={project}
          copiedFrom={props.copiedFrom}
          parent={props.parent}
          editors={collection?.editors ?? []}
        />
        <VisibilityNotices project={project} reason={props.reason} isSeenByClass={props.isSeenByClass} />
        {props.handInNotices}
      </header>
      <div class="attachments">
        {player && <VideoPlayer project={project} player={player} />}
        {project.link && !player && <ExternalLink project={project} link={project.link} />}
        <ProjectMedia media={withoutShown(media, html)} />
        <Models media={media} />
        <FilePlayers project={project} played={props.played} />
        {withdrawnFiles > 0 && <p class="notice">{t('project.withdrawnFiles', { count: withdrawnFiles })}</p>}
      </div>
      <div class="text e-content" dir="auto" data-copy={t('share.copy')} data-copied={t('share.copied')}>
        {raw(html)}
        <Programs programs={props.programs} />
      </div>
      {collection && <CollectionWorks collection={project} data={collection} />}
      <div class="sidebar">
        <Facts project={project} />
        <ProjectActions
          project={project}
          rating={props.rating}
          hasRated={props.hasRated}
          origin={props.origin}
          pins={props.pins}
          followButton={props.followButton}
          bookmarkButton={props.bookmarkButton}
        />
      </div>
      <div class="discussion">{props.children}</div>
    </article>
  );
}

type OriginProps = Pick<ProjectArticleProps, 'project' | 'copiedFrom' | 'parent'>;
type HeadingProps = OriginProps & Pick<CollectionData, 'editors'>;

const Heading = cached(function Heading(props: HeadingProps) {
  const language = useLanguage();
  const { project } = props;
  return (
    <>
      <p class="eyebrow">
        {project.kind === 'class' ? (
          language.t('classes.class')
        ) : (
          <a href={`/?content_type=${project.content_type}`}>{language.t(`type.${project.content_type}`)}</a>
        )}{' '}
        <StatusBadge project={project} />
      </p>
      <h1 class="p-name" dir="auto">
        {getHeading(language, project)}
      </h1>
      <p class="byline">
        <ContributorLink project={project} rel="author" isAuthor hasAvatar />
        <Editors editors={props.editors} />
        {' · '}
        <DateText instant={project.created} property="dt-published" />
        <data class="u-url" value={projectPath(project)} />
        {project.modified > project.created && [
          ' · ',
          language.rich('project.updated', {
            date: <DateText instant={project.modified} property="dt-updated" />,
          }),
        ]}
      </p>
      <Origin {...props} />
    </>
  );
});

/** Says who can see the project, unless everybody can. */
function VisibilityNotices({
  project,
  reason,
  isSeenByClass,
}: Pick<ProjectArticleProps, 'project' | 'reason' | 'isSeenByClass'>) {
  const { contributor, status, visibility, publish_at } = project;
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  const isOwn = viewer.contributor === contributor;
  const statusNotices = {
    [draft]: t('project.isDraft'),
    [published]: undefined,
    [archived]: t('project.isArchived'),
    [removed]: t(isOwn ? 'project.isRemoved' : 'project.isRemovedOther'),
    [waiting]: t(isOwn ? 'project.isWaiting' : 'project.isWaitingOther'),
  };
  const visibilityNotices = {
    public: undefined,
    unlisted: t('project.isUnlisted'),
    private: t(isOwn ? 'project.isPrivateOwn' : 'project.isPrivate'),
    class: t(isSeenByClass ? 'project.isForClass' : 'project.isInNoClass'),
  };
  return (
    <>
      {[statusNotices[status], visibilityNotices[visibility]]
        .filter((notice) => notice !== undefined)
        .map((notice) => (
          <p class="notice">{notice}</p>
        ))}
      {reason && <p class="notice">{rich(reasonMessage(project), { reason: <bdi>{reason}</bdi> })}</p>}
      {publish_at !== null && (
        <p class="notice">{rich('project.publishesAt', { date: <DateTimeText instant={publish_at} /> })}</p>
      )}
      {status === removed && isOwn && <RemovalContact />}
    </>
  );
}

/** The project that this one was copied from, or that a comment is about. */
function Origin({ project, copiedFrom, parent }: OriginProps) {
  const { t, rich } = useLanguage();
  return (
    <>
      {parent && (
        <p class="credit">
          {rich('project.commentOn', {
            project: <ProjectLink project={parent} />,
            name: <bdi>{displayName(parent)}</bdi>,
          })}
        </p>
      )}
      {copiedFrom && (
        <p class="credit">
          {rich('project.remixOf', {
            project: <ProjectLink project={copiedFrom} />,
            name: <ContributorLink project={copiedFrom} />,
          })}{' '}
          <a href={comparisonPath(project)}>{t('comparison.changes')}</a>
          {' · '}
          <a href={lineagePath(project)}>{t('project.seeTree')}</a>
        </p>
      )}
      {project.copied_from !== null && !copiedFrom && <p class="credit">{t('project.remixOfHidden')}</p>}
    </>
  );
}

/** A preview of the other page, from what the author wrote about it. */
function ExternalLink({ project, link }: { project: Project; link: string }) {
  return (
    <a class="link-preview" href={link} rel="nofollow noopener ugc">
      <Poster type="link" colour={colourOf(project.id)} isHidden>
        {formatHost(link)}
      </Poster>
      <span>
        <b dir="auto">{project.title}</b>
        <span class="host">{formatHost(link)}</span>
        <span class="full-url">{link}</span>
      </span>
    </a>
  );
}

function Tags({ tags }: { tags: readonly string[] }) {
  const { t } = useLanguage();
  if (tags.length === 0) return null;
  return (
    <nav aria-label={t('layout.tags')}>
      <ul class="tags">
        {tags.map((tag) => (
          <li>
            <a class="p-category" href={tagHref(tag)} rel="tag">
              <bdi>{tag}</bdi>
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}

const Facts = cached(function Facts({ project }: { project: Project }) {
  return (
    <>
      {project.status !== draft && <Ratings project={project} />}
      {project.license && <LicenseFact license={project.license} />}
      <Tags tags={parseTags(project)} />
    </>
  );
});

function LicenseFact({ license }: { license: License }) {
  const { name, url } = aboutLicense(license);
  return (
    <dl class="facts">
      <Fact name={useLanguage().t('api.license')}>
        <a href={url} rel="license">
          {name}
        </a>
      </Fact>
    </dl>
  );
}

function Ratings({ project }: { project: Project }) {
  const { site, language } = useLayout();
  const { t, formatNumber } = language;
  const { rating_count } = project;
  const hasHearts = site.ratings === 'heart';
  return (
    <dl class="facts">
      <Fact name={t(hasHearts ? 'rating.hearts' : 'project.rating')}>
        {hasHearts && formatNumber(rating_count)}
        {!hasHearts &&
          (rating_count === 0
            ? t('project.noRatings')
            : t('project.average', averageRating(language, project)))}
      </Fact>
    </dl>
  );
}
