// What the page of a project loads before it is rendered.

import { isLookedAfter } from '../../gallery/class-people.ts';
import { isInClass } from '../../gallery/collections/items.ts';
import { isCollection } from '../../gallery/content-types.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import type { Media } from '../../gallery/media/media.ts';
import { countWithdrawnFiles } from '../../gallery/media/rows.ts';
import { loadReasons } from '../../gallery/moderation/log.ts';
import { projectPath } from '../../gallery/paths.ts';
import { loadPins } from '../../gallery/profiles/profile.ts';
import { isPubliclyReadable } from '../../gallery/project-status.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { findOwnRating } from '../../gallery/ratings/rate.ts';
import { isAnonymous, type Viewer } from '../../gallery/viewer.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { loadBookmarkButton } from '../bookmarks/bookmarks.tsx';
import { loadCollectionsOf } from '../collections/collect.tsx';
import { loadCollection } from '../collections/collection.tsx';
import { loadDeleted } from '../editing/deleted.tsx';
import { loadFollowButton } from '../follows/follow-button.tsx';
import { loadHandInNotices } from '../hand-ins/own-hand-in.tsx';
import { type CardData, loadCardData } from '../home/cards.tsx';
import type { PageContext, PageDependencies } from '../page.ts';
import { withNames } from '../text/names.ts';
import { toTextPictures } from '../text/pictures.ts';
import { renderMarkdownText } from '../text/rendering.ts';
import type { ArticleData } from './article.tsx';
import { type CommentThread, loadThread } from './comments.tsx';
import { type Comparison, loadPictureComparison } from './comparison.tsx';
import { findIfVisible } from './find-project.ts';
import { loadMoreProjects, type MoreProjectsData } from './more-projects.tsx';
import { loadPrograms } from './programs.tsx';

/** The lineage page and the list of copies have the others. */
export const maxCopies = 3;

export interface ProjectPageData extends ArticleData {
  readonly copies: CardData;
  readonly comparison: Comparison | undefined;
  readonly thread: CommentThread;
  readonly areProgramsComplete: boolean;
  readonly more: MoreProjectsData | undefined;
  /** A comment that the viewer has just deleted. */
  readonly deleted: Project | undefined;
  /** Whether a class looks after its owner. */
  readonly isLookedAfter: boolean;
  /** The collections that have it. */
  readonly collections: Child | undefined;
}

export async function loadProjectPageData(context: PageContext, project: Project): Promise<ProjectPageData> {
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
    collection,
    collections,
    classData,
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
    loadOwnersButton(context, project),
    loadBookmarkButton(context, project),
    isCollection(project) ? loadCollection(context, project) : undefined,
    loadCollectionsOf(context, project),
    loadClassData(context, project),
  ]);
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
    reason: reasons.get(project.id),
    pins,
    more,
    deleted,
    followButton,
    bookmarkButton,
    collection,
    collections,
    ...classData,
  };
}

async function loadClassData(context: PageContext, project: Project) {
  const { database } = context;
  const [isOwnerLookedAfter, handInNotices, isSeenByClass] = await Promise.all([
    isLookedAfter(database, project.contributor),
    loadHandInNotices(context, project),
    project.visibility !== 'class' || isCollection(project) || isInClass(database, project),
  ]);
  return { isLookedAfter: isOwnerLookedAfter, handInNotices, isSeenByClass };
}

const loadOwnersButton = (context: PageContext, project: Project) =>
  loadFollowButton(context, {
    followed: { contributor: project.contributor },
    name: displayName(project),
    next: projectPath(project),
    showsName: true,
  });

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
  contributor === viewer.contributor && content_type !== 'comment' && isPubliclyReadable(status);

/** Loads one copy more than is shown, to know whether there are more. */
async function loadCopies(
  projects: PageDependencies['projects'],
  viewer: Viewer,
  { id }: Project,
): Promise<CardData> {
  const listing = projects.list(viewer, projects.parseFilter('copied_from', String(id)));
  return loadCardData(projects, viewer, await listing.page(0, maxCopies + 1));
}
