// A project on its own page: its origin, its files, its text and what the viewer can do.

import { type Child, raw } from '#rest/jsx/jsx-runtime.ts';
import { displayName } from '../../../core/contributors/contributor.ts';
import { aboutLicense, type License } from '../../../core/licenses.ts';
import { formatHost } from '../../../core/markdown/bare-links.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { colourOf } from '../../../core/pages/layout/colours.ts';
import {
  ContributorLink,
  DateText,
  DateTimeText,
  Fact,
  withDots,
} from '../../../core/pages/layout/components.tsx';
import { type LinkPlaces, useLanguage, useLayout, useLinks } from '../../../core/pages/layout/layout-data.ts';
import { RemovalContact } from '../../../core/pages/site-texts.tsx';
import { projectPath } from '../../../core/paths.ts';
import { archived, draft, published, removed, waiting } from '../../../core/project-status.ts';
import { findRefusalToKeep } from '../../hooks.ts';
import type { Media } from '../../media/media.ts';
import type { Project } from '../../project.ts';
import { parseTags } from '../../tags.ts';
import type { CardData } from '../list/cards.tsx';
import { Poster } from '../list/posters.tsx';
import { tagHref } from '../list/tags.tsx';
import { averageRating, getHeading, ProjectLink, reasonMessage, StatusBadge } from '../project-parts.tsx';
import { withoutShown } from '../text-pictures.ts';
import { ProjectActions } from './actions.tsx';
import { FilePlayers, type PlayedFile } from './file-player.tsx';
import { Models, type Program, Programs } from './programs.tsx';
import { ProjectMedia } from './shown-files.tsx';
import { type Player, VideoPlayer } from './video-player.tsx';

/** The projects that a project consists of, and what shows them. */
export interface ProjectParts {
  readonly works: CardData;
  readonly content: Child;
}

/** The data of the article besides the project. */
export interface ArticleData {
  readonly copiedFrom: Project | undefined;
  readonly parent: Project | undefined;
  readonly media: readonly Media[];
  /** Of a copy: see `countWithdrawnFiles`. */
  readonly withdrawnFiles: number;
  readonly programs: readonly Program[];
  /** The text as HTML. */
  readonly html: string;
  /** The viewer's own rating. */
  readonly rating: number | undefined;
  /** The buttons of features. */
  readonly featureActions: readonly Child[];
  readonly shareSections: readonly Child[];
  /** Why a moderator removed it or sent it back. */
  readonly reason: string | undefined;
  /** The pinned projects of an author who may pin this one. */
  readonly pins: readonly string[] | undefined;
  /** Whether a remix is offered. */
  readonly mayCopy: boolean;
  readonly parts: ProjectParts | undefined;
  readonly typeName: readonly Child[];
  readonly byline: readonly Child[];
  readonly audienceNotices: readonly Child[];
  readonly featureNotices: readonly Child[];
}

declare module '../../../core/pages/layout/layout-data.ts' {
  interface LinkPlaces {
    /** Pages below that of a copy, beside the name of its source. */
    'project.remix': true;
  }
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
  const { project, media, withdrawnFiles, html, player, parts } = props;
  // biome-ignore-start lint/complexity/noUselessFragments: it makes one element of them.
  const typeName = String(<>{props.typeName}</>);
  const byline = String(<>{props.byline}</>);
  // biome-ignore-end lint/complexity/noUselessFragments: it makes one element of them.
  return (
    <article class={`project h-entry of-${project.content_type}`}>
      <header>
        <Heading
          project={project}
          copiedFrom={props.copiedFrom}
          parent={props.parent}
          typeName={typeName}
          byline={byline}
        />
        <VisibilityNotices {...props} />
        {props.featureNotices}
      </header>
      <div class="attachments">
        {project.link && <Linked project={project} link={project.link} player={player} />}
        <ProjectMedia media={withoutShown(media, html)} />
        <Models media={media} />
        <FilePlayers project={project} played={props.played} />
        {withdrawnFiles > 0 && <p class="notice">{t('project.withdrawnFiles', { count: withdrawnFiles })}</p>}
      </div>
      <div class="text e-content" dir="auto" data-copy={t('share.copy')} data-copied={t('share.copied')}>
        {raw(html)}
        <Programs programs={props.programs} />
      </div>
      {parts?.content}
      <div class="sidebar">
        <Facts project={project} />
        <ProjectActions
          project={project}
          rating={props.rating}
          hasRated={props.hasRated}
          mayCopy={props.mayCopy}
          origin={props.origin}
          pins={props.pins}
          featureActions={props.featureActions}
          shareSections={props.shareSections}
        />
        <Tags tags={project.tags} />
      </div>
      <div class="discussion">{props.children}</div>
    </article>
  );
}

type OriginProps = Pick<ProjectArticleProps, 'project' | 'copiedFrom' | 'parent'>;
/** What features add is HTML: the heading is kept by it. */
type HeadingProps = OriginProps & { readonly typeName: string; readonly byline: string };

const Heading = cached(function Heading(props: HeadingProps) {
  const language = useLanguage();
  const { project } = props;
  return (
    <>
      <p class="eyebrow">
        {props.typeName ? (
          raw(props.typeName)
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
        {raw(props.byline)}
        {' · '}
        <DateText instant={project.created} property="dt-published" isAgo />
        <data class="u-url" value={projectPath(project)} />
        {project.modified > project.created && [
          ' · ',
          language.rich('project.updated', {
            date: <DateText instant={project.modified} property="dt-updated" isAgo />,
          }),
        ]}
      </p>
      <Origin {...props} />
    </>
  );
});

/** While it waits, a group reads it, as a feature says. */
export const staysWithGroup = (
  { status }: Pick<Project, 'status'>,
  { audienceNotices }: Pick<ArticleData, 'audienceNotices'>,
): boolean => status === waiting && audienceNotices.length > 0;

/** Says who can see the project, unless everybody can. */
function VisibilityNotices({
  project,
  reason,
  audienceNotices,
}: Pick<ProjectArticleProps, 'project' | 'reason' | 'audienceNotices'>) {
  const { contributor, status, visibility, publish_at } = project;
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  const isOwn = viewer.contributor === contributor;
  const statusNotices = {
    [draft]: t('project.isDraft'),
    [published]: undefined,
    [archived]: t('project.isArchived'),
    [removed]: t(isOwn ? 'project.isRemoved' : 'project.isRemovedOther'),
    [waiting]: staysWithGroup(project, { audienceNotices })
      ? undefined
      : t(isOwn ? 'project.isWaiting' : 'project.isWaitingOther'),
  };
  const visibilityNotices: Readonly<Partial<Record<string, string>>> = {
    unlisted: t('project.isUnlisted'),
    private: t(isOwn ? 'project.isPrivateOwn' : 'project.isPrivate'),
  };
  return (
    <>
      {[statusNotices[status], visibilityNotices[visibility]]
        .filter((notice) => notice !== undefined)
        .map((notice) => (
          <p class="notice">{notice}</p>
        ))}
      {audienceNotices}
      {reason && <p class="notice">{rich(reasonMessage(project), { reason: <bdi>{reason}</bdi> })}</p>}
      {publish_at !== null && (
        <p class="notice">{rich('project.publishesAt', { date: <DateTimeText instant={publish_at} /> })}</p>
      )}
      {status === removed && isOwn && <RemovalContact />}
    </>
  );
}

/** Links of features to pages below that of the project. */
export const useLinksBelow = (place: keyof LinkPlaces, project: Project): Child[] =>
  useLinks(place).map(({ href, text }) => <a href={projectPath(project) + href}>{useLanguage().t(text)}</a>);

/** The project that this one was copied from, or that a comment is about. */
function Origin({ project, copiedFrom, parent }: OriginProps) {
  const { t, rich } = useLanguage();
  const links = useLinksBelow('project.remix', project);
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
          })}
          {links.length > 0 && ' '}
          {withDots(links)}
        </p>
      )}
      {project.copied_from !== null && !copiedFrom && <p class="credit">{t('project.remixOfHidden')}</p>}
    </>
  );
}

interface LinkedProps {
  readonly project: Project;
  readonly link: string;
  readonly player: Player | undefined;
}

const Linked = ({ project, link, player }: LinkedProps) =>
  project.content_type === 'video' ? (
    <VideoPlayer project={project} link={link} player={player} />
  ) : (
    <ExternalLink project={project} link={link} />
  );

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

const shownTags = 8;

/** Others are behind a button: a work with forty tags is still a work. */
const Tags = cached(function Tags(project: Pick<Project, 'tags'>) {
  const { t, formatNumber } = useLanguage();
  const tags = parseTags(project);
  if (tags.length === 0) return null;
  const more = tags.slice(shownTags);
  return (
    <nav aria-label={t('layout.tags')}>
      <TagLinks tags={more.length > 1 ? tags.slice(0, shownTags) : tags} />
      {more.length > 1 && (
        <details class="more-tags">
          <summary>{t('project.moreTags', { count: formatNumber(more.length) })}</summary>
          <TagLinks tags={more} />
        </details>
      )}
    </nav>
  );
});

const TagLinks = ({ tags }: { tags: readonly string[] }) => (
  <ul class="tags">
    {tags.map((tag) => (
      <li>
        <a class="p-category" href={tagHref(tag)} rel="tag">
          <bdi>{tag}</bdi>
        </a>
      </li>
    ))}
  </ul>
);

const Facts = cached(function Facts({ project }: { project: Project }) {
  return (
    <>
      {project.status !== draft && !findRefusalToKeep(project) && <Ratings project={project} />}
      {project.license && <LicenseFact license={project.license} />}
    </>
  );
});

function LicenseFact({ license }: { license: License }) {
  const { name, url } = aboutLicense(license);
  return (
    <dl class="facts">
      <Fact name={useLanguage().t('project.license')}>
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
