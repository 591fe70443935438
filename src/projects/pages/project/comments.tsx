// A project's comments, and the form for a new one. They are paginated threads: a reply is nested below its parent if both are
// on the same page.

import { type Child, raw } from '#rest/jsx/jsx-runtime.ts';
import { excerpt } from '../../../core/markdown/markdown.ts';
import { withNames } from '../../../core/markdown/names-in-text.ts';
import { renderMarkdown } from '../../../core/markdown/rendering.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { ContributorLink, DateText, Pager } from '../../../core/pages/layout/components.tsx';
import { Form } from '../../../core/pages/layout/form.tsx';
import { useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import type { PageDependencies } from '../../../core/pages/page.ts';
import { projectPath } from '../../../core/paths.ts';
import { isPubliclyReadable } from '../../../core/project-status.ts';
import { can } from '../../../core/viewer/permissions.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import { hasOwnTitle } from '../../address.ts';
import type { Project } from '../../project.ts';
import type { ProjectReference } from '../../reading/find-projects.ts';
import type { Related } from '../../reading/related.ts';
import { findClosed } from '../../visibility/made-for-a-group.ts';
import { canChange } from '../../writing/changeable.ts';
import { type ListPage, loadListPage } from '../list/list-query.ts';
import { ProjectLink, StatusBadge } from '../project-parts.tsx';
import { ReportLink } from './actions.tsx';
import { CommentForm, getCommentKind } from './comment-form.tsx';

export const commentsPerPage = 20;
/** Longer comments are cut short here and shown in full on their own page. */
const maxTextLength = 2000;
/** Deeper replies would leave no room for text: they are listed at this depth. */
const maxDepth = 4;

export interface CommentThread extends ListPage<Project> {
  /** The accepted answer to a question. */
  readonly accepted: Project | undefined;
  /** The project and comments that the viewer reads, and does not answer. */
  readonly closed: ReadonlySet<number>;
  /** The parents of comments on this page that are not on it themselves. */
  readonly parentsOnOtherPages: ReadonlyMap<number, ProjectReference>;
  /** The HTML of the comments that are shown in full, by id. */
  readonly html: ReadonlyMap<number, string>;
}

export async function loadThread(
  { database, projects: finder, fragments, features }: PageDependencies,
  viewer: Viewer,
  project: Project,
  query: URLSearchParams,
  related: Related | undefined,
): Promise<CommentThread> {
  const hasAny = project.content_type === 'comment' ? related?.replies : related?.comments;
  const [listPage, accepted] = await Promise.all([
    loadListPage(hasAny ? finder.listComments(viewer, project) : noComments, query, commentsPerPage),
    hasAny ? finder.findAnswer(viewer, project) : undefined,
  ]);
  const commentPage =
    accepted && listPage.number === 1 ? { ...listPage, items: putFirst(accepted, listPage.items) } : listPage;
  const idsOnPage = new Set([project.id, ...commentPage.items.map(({ id }) => id)]);
  const missingParents = commentPage.items.flatMap(({ parent }) =>
    parent !== null && !idsOnPage.has(parent) ? parent : [],
  );
  const shownInFull = commentPage.items.filter(({ text }) => text.length <= maxTextLength);
  const texts = shownInFull.map(({ text, title }) => ({ text, title, level: 3 }));
  const [closed, parentsOnOtherPages, html] = await Promise.all([
    findClosed(database, viewer, project, commentPage.items),
    finder.loadReferences(viewer, missingParents),
    withNames({ database, viewer, features }, texts).then((named) => renderMarkdown(named, fragments)),
  ]);
  return {
    ...commentPage,
    accepted,
    closed,
    parentsOnOtherPages,
    html: new Map(shownInFull.map(({ id }, index) => [id, html[index] ?? ''])),
  };
}

const noComments = { count: async () => 0, page: async (): Promise<Project[]> => [] };

const putFirst = (first: Project, items: readonly Project[]) => [
  first,
  ...items.filter(({ id }) => id !== first.id),
];

interface CommentsProps {
  readonly project: Project;
  readonly thread: CommentThread;
  pageUrl(number: number): string;
  /** Content after the comments, such as the form for a new one. */
  readonly children: Child;
}

export function Comments({ project, thread, pageUrl, children }: CommentsProps) {
  const { t } = useLanguage();
  const kind = getCommentKind(project);
  if (thread.count === 0) {
    return (
      <section class="comments" aria-labelledby="comments">
        <h2 id="comments">{t(`comments.none.${kind}`)}</h2>
        {children}
      </section>
    );
  }
  const repliesByParent = Map.groupBy(thread.items, ({ parent }) => parent ?? 0);
  const idsOnPage = new Set(thread.items.map(({ id }) => id));
  const topLevel = thread.items.filter(({ parent }) => parent === null || !idsOnPage.has(parent));
  return (
    <section class="comments" aria-labelledby="comments">
      <h2 id="comments">{t(`comments.count.${kind}`, { count: thread.count })}</h2>
      <CommentList
        comments={topLevel}
        page={project}
        depth={1}
        repliesByParent={repliesByParent}
        thread={thread}
      />
      <Pager {...thread} urlOf={pageUrl} />
      {children}
    </section>
  );
}

interface CommentListProps {
  readonly comments: readonly Project[];
  readonly page: Project;
  readonly depth: number;
  readonly repliesByParent: ReadonlyMap<number, readonly Project[]>;
  readonly thread: CommentThread;
}

function CommentList({ comments, page, depth, repliesByParent, thread }: CommentListProps) {
  return (
    <ol class="thread">
      {comments.map((comment) => {
        const replies =
          depth < maxDepth
            ? (repliesByParent.get(comment.id) ?? [])
            : flattenReplies(comment, repliesByParent);
        return (
          <li>
            <Comment
              comment={comment}
              page={page}
              isAccepted={comment.id === thread.accepted?.id}
              isClosed={thread.closed.has(comment.id)}
              html={thread.html.get(comment.id)}
              parent={thread.parentsOnOtherPages.get(comment.parent ?? 0)}
            />
            {replies.length > 0 && (
              <CommentList
                comments={replies}
                page={page}
                depth={depth + 1}
                repliesByParent={depth < maxDepth ? repliesByParent : new Map()}
                thread={thread}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** All replies to a comment, and the replies to those. */
function flattenReplies(comment: Project, repliesByParent: CommentListProps['repliesByParent']): Project[] {
  const replies = [...(repliesByParent.get(comment.id) ?? [])];
  for (const reply of replies) replies.push(...(repliesByParent.get(reply.id) ?? []));
  return replies;
}

interface CommentProps {
  readonly comment: Project;
  /** Whose page this is. */
  readonly page: Project;
  readonly isAccepted: boolean;
  readonly isClosed: boolean;
  /** Undefined for a long comment, of which only the beginning is shown. */
  readonly html: string | undefined;
  readonly parent: ProjectReference | undefined;
}

function Comment({ comment, page, isAccepted, isClosed, html, parent }: CommentProps) {
  const { t } = useLanguage();
  const Text = html === undefined ? CommentText : KeptCommentText;
  return (
    <article class={isAccepted ? 'comment accepted' : 'comment'} id={`comment-${comment.id}`}>
      {isAccepted && <p class="acceptance">{t('comments.accepted')}</p>}
      <Text comment={comment} html={html} parent={parent} />
      <CommentActions comment={comment} page={page} isAccepted={isAccepted} isClosed={isClosed} />
    </article>
  );
}

function CommentText({ comment, html, parent }: Omit<CommentProps, 'page' | 'isAccepted' | 'isClosed'>) {
  const { t, rich } = useLanguage();
  // A title that only repeats the first words is left out: then the byline is the heading.
  const isTitled = hasOwnTitle(comment);
  const Byline = isTitled ? 'p' : 'h3';
  return (
    <>
      {isTitled && (
        <h3 class="name" dir="auto">
          <a href={projectPath(comment)}>{comment.title}</a>
        </h3>
      )}
      <Byline class="byline">
        <ContributorLink project={comment} hasAvatar hasUsername />
        {' · '}
        <a href={projectPath(comment)}>
          <DateText instant={comment.created} isAgo />
        </a>{' '}
        <StatusBadge project={comment} />
        {parent && (
          <>
            {' · '}
            {rich('comments.inReplyTo', { comment: <ProjectLink project={parent} /> })}
          </>
        )}
      </Byline>
      {html === undefined ? (
        <p class="text" dir="auto">
          {excerpt(comment.text, comment.title, 600)}{' '}
          <a href={projectPath(comment)}>{t('comments.readMore')}</a>
        </p>
      ) : (
        <div class="text" dir="auto">
          {raw(html)}
        </div>
      )}
    </>
  );
}

/** Not for long comments: hashing one takes longer than rendering its beginning. */
const KeptCommentText = cached(CommentText);

function CommentActions({
  comment,
  page,
  isAccepted,
  isClosed,
}: Pick<CommentProps, 'comment' | 'page' | 'isAccepted' | 'isClosed'>) {
  const { viewer, language } = useLayout();
  const { t } = language;
  const path = projectPath(comment);
  const canReply = can(viewer, 'comment', comment.contributor);
  return (
    <div class="comment-actions">
      {isClosed || !isPubliclyReadable(comment.status) ? undefined : canReply ? (
        <details class="reply">
          <summary>{t('comments.reply')}</summary>
          <CommentForm project={comment} page={page} id={`reply-${comment.id}`} />
        </details>
      ) : (
        <a href={`${path}#say`}>{t('comments.reply')}</a>
      )}
      {page.content_type === 'question' && comment.parent === page.id && canChange(viewer, page) && (
        <Form action={`${projectPath(page)}answer/`}>
          <button class="plain" type="submit" name="comment" value={isAccepted ? '' : String(comment.id)}>
            {t(isAccepted ? 'comments.unaccept' : 'comments.accept')}
          </button>
        </Form>
      )}
      {canChange(viewer, comment) && (
        <>
          <a href={`${path}edit/`}>{t('actions.edit')}</a>
          <a href={`${path}trash/`}>{t('comments.delete')}</a>
        </>
      )}
      <ReportLink project={comment} />
    </div>
  );
}
