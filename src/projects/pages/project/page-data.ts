// The data that the page of a project loads before it is rendered.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { isLookedAfter } from '../../../core/accounts/looked-after.ts';
import { withNames } from '../../../core/markdown/names-in-text.ts';
import { renderMarkdownText } from '../../../core/markdown/rendering.ts';
import type { Alternate } from '../../../core/pages/layout/layout-data.ts';
import { loadSections, type PageContext } from '../../../core/pages/page.ts';
import { isPubliclyReadable } from '../../../core/project-status.ts';
import { isAnonymous, type Viewer } from '../../../core/viewer/viewer.ts';
import type { Media } from '../../media/media.ts';
import { countWithdrawnFiles } from '../../media/media-rows.ts';
import { loadPins } from '../../people/profile.ts';
import type { Project } from '../../project.ts';
import { findOwnRating } from '../../ratings/rate.ts';
import { briefColumns } from '../../reading/listing.ts';
import { loadReasons } from '../../reading/reasons.ts';
import { findRelated } from '../../reading/related.ts';
import { isPublic } from '../../visibility/visible-to.ts';
import { mayCopy } from '../../writing/create.ts';
import { loadDeleted } from '../editing/deleted.tsx';
import { loadCards } from '../list/kept-cards.tsx';
import { toTextPictures } from '../text-pictures.ts';
import type { ArticleData, ProjectParts } from './article.tsx';
import { type CommentThread, loadThread } from './comments.tsx';
import { findIfVisible } from './find-project.ts';
import { loadMoreProjects, type MoreProjectsData } from './more-projects.tsx';
import { loadPrograms } from './programs.tsx';

/** The list of copies has the others. */
const maxCopies = 3;

interface ProjectHead {
  readonly project: Project;
  /** The beginning of the text. */
  readonly abstract: string;
  readonly media: readonly Media[];
}

declare module '../../../core/pages/page.ts' {
  interface Places {
    /** In the head of a public project. */
    'project.head': Section<ProjectHead>;
    /** Links in the head of a public project. */
    'project.alternates': Section<Project, readonly Alternate[]>;
    /** In place of the name of its type. */
    'project.type': Section<Project>;
    /** Behind the name of its contributor. */
    'project.byline': Section<Project>;
    /** Notices of who can see it, if its visibility is one of features. */
    'project.audience': Section<Project>;
    /** Below the heading. */
    'project.notices': Section<Project>;
    /** The first feature that has any counts. */
    'project.parts': Section<Project, ProjectParts>;
    /** Buttons. */
    'project.actions': Section<Project>;
    /** Parts of what is offered for sharing it. */
    'project.share': Section<Project>;
    /** For moderators, above it. */
    'project.moderation': Section<Project>;
    /** Below its copies. */
    'project.related': Section<Project>;
    /** Of a copy whose source the viewer may see, above its own copies. */
    'project.remix': Section<{ readonly source: Project; readonly media: readonly Media[] }>;
    /** Called when a response with the page is sent, also from the cache. */
    'project.sent': Section<Project, (requestHeaders: Headers) => void>;
  }
}

/** The first copies of a project. */
export interface CopiesData {
  readonly cards: Child;
  readonly hasMore: boolean;
}

export interface ProjectPageData extends ArticleData {
  readonly copies: CopiesData | undefined;
  readonly alternates: readonly Alternate[];
  readonly remixSections: readonly Child[];
  readonly thread: CommentThread;
  readonly areProgramsComplete: boolean;
  readonly more: MoreProjectsData | undefined;
  /** A comment that the viewer has just deleted. */
  readonly deleted: Project | undefined;
  /** Whether others look after its owner. */
  readonly isLookedAfter: boolean;
  readonly moderation: readonly Child[];
  readonly related: readonly Child[];
}

export async function loadProjectPageData(context: PageContext, project: Project): Promise<ProjectPageData> {
  const { viewer, url, database, projects, files } = context;
  const related = findRelated(database, project.id);
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
    featureParts,
    isOwnerLookedAfter,
    isCopyable,
  ] = await Promise.all([
    project.copied_from === null ? undefined : findIfVisible(projects.find(viewer, project.copied_from)),
    projects.findParent(viewer, project),
    related.then((found) => (found?.copies ? loadCopies(context, project) : undefined)),
    related.then((found) => loadThread(context, viewer, project, url.query, found)),
    mediaLoaded,
    renderText(context, project, mediaLoaded),
    isAnonymous(viewer) ? undefined : findOwnRating(database, viewer, project.id),
    loadReasons(database, [project]),
    isPinnable(viewer, project) ? loadPins(database, project.contributor) : undefined,
    project.copied_from === null ? 0 : countWithdrawnFiles(database, project.id),
    loadMoreProjects(context, project),
    loadDeleted(context),
    loadFeatureParts(context, project),
    isLookedAfter(database, project.contributor),
    mayCopy(database, viewer, project),
  ]);
  const remix = copiedFrom && { source: copiedFrom, media };
  const shown = { html, media, ...(await loadPrograms(files, media)) };
  return {
    copiedFrom,
    remixSections: remix ? await loadSections(context, 'project.remix', remix) : [],
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
    ...featureParts,
    isLookedAfter: isOwnerLookedAfter,
    mayCopy: isCopyable,
  };
}

/** The parts that features add to the page. */
async function loadFeatureParts(context: PageContext, project: Project) {
  const [
    alternates,
    typeName,
    byline,
    audienceNotices,
    featureNotices,
    [parts],
    actions,
    share,
    moderation,
    related,
  ] = await Promise.all([
    isPublic(project) ? loadSections(context, 'project.alternates', project) : [],
    loadSections(context, 'project.type', project),
    loadSections(context, 'project.byline', project),
    loadSections(context, 'project.audience', project),
    loadSections(context, 'project.notices', project),
    loadSections(context, 'project.parts', project),
    loadSections(context, 'project.actions', project),
    loadSections(context, 'project.share', project),
    context.viewer.isModerator ? loadSections(context, 'project.moderation', project) : [],
    loadSections(context, 'project.related', project),
  ]);
  return {
    alternates: alternates.flat(),
    typeName,
    byline,
    audienceNotices,
    featureNotices,
    parts,
    featureActions: actions,
    shareSections: share,
    moderation,
    related,
  };
}

/** With the pictures and the names in it. */
async function renderText(
  context: PageContext,
  { text, title }: Project,
  mediaLoaded: Promise<readonly Media[]>,
): Promise<string> {
  const [[named], media] = await Promise.all([withNames(context, [{ text, title }]), mediaLoaded]);
  return renderMarkdownText({ text, title, ...named, pictures: toTextPictures(media) }, context.fragments);
}

/** Its author may pin it. */
const isPinnable = (viewer: Viewer, { contributor, content_type, status }: Project) =>
  viewer.lookedAfterBy === undefined &&
  contributor === viewer.contributor &&
  content_type !== 'comment' &&
  isPubliclyReadable(status);

async function loadCopies(context: PageContext, { id }: Project): Promise<CopiesData | undefined> {
  const { projects, viewer } = context;
  const listing = projects.list(viewer, projects.parseFilter('copied_from', String(id)));
  const rows = await listing.select(briefColumns).page(0, maxCopies + 1);
  if (rows.length === 0) return undefined;
  const cards = await loadCards(
    context,
    {
      projects: rows.slice(0, maxCopies),
      load: (ids) => listing.load(ids),
    },
    {
      level: 'h3',
      hidesSource: true,
    },
  );
  return { cards, hasMore: rows.length > maxCopies };
}
