// A project's comments, and the form for a new one. They are paginated threads: a reply is nested below its parent if both are on the same page.

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { projectPath } from '../gallery/paths.ts';
import { can } from '../gallery/permissions.ts';
import { hasOwnTitle } from '../gallery/projects/comment-title.ts';
import { commentFields } from '../gallery/projects/fields.ts';
import type { ProjectFinder, ProjectReference } from '../gallery/projects/find.ts';
import type { ContentType, Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { DateText } from './dates.tsx';
import { CsrfField, ErrorSummary, FormFields, OnceField } from './form.tsx';
import { useLayout } from './layout-data.ts';
import { ContributorLink, ProjectLink } from './links.tsx';
import { type ListPage, loadListPage } from './listing.ts';
import { excerpt } from './markdown.ts';
import type { FormErrors } from './page-context.ts';
import { ReportLink } from './project-actions.tsx';
import { renderMarkdown } from './text-rendering.ts';

const pageSize = 20;
/** Longer comments are cut short here and shown in full on their own page. */
const maxTextLength = 2000;
/** Deeper replies would leave no room for text: they are listed at this depth. */
const maxDepth = 4;

export interface CommentThread extends ListPage<Project> {
  /** The parents of comments on this page that are not on it themselves. */
  readonly parentsOnOtherPages: ReadonlyMap<number, ProjectReference>;
  /** The HTML of the comments that are shown in full, by id. */
  readonly html: ReadonlyMap<number, string>;
}

export async function loadThread(
  finder: ProjectFinder,
  viewer: Viewer,
  project: Project,
  query: URLSearchParams,
): Promise<CommentThread> {
  const commentPage = await loadListPage(finder.listComments(viewer, project), query, pageSize);
  const idsOnPage = new Set([project.id, ...commentPage.items.map(({ id }) => id)]);
  const missingParents = commentPage.items.flatMap(({ parent }) =>
    parent !== null && !idsOnPage.has(parent) ? parent : [],
  );
  const shownInFull = commentPage.items.filter(({ text }) => text.length <= maxTextLength);
  const texts = shownInFull.map(({ text, title }) => ({ text, title, level: 3 }));
  const [parentsOnOtherPages, html] = await Promise.all([
    finder.loadReferences(viewer, missingParents),
    renderMarkdown(texts),
  ]);
  return {
    ...commentPage,
    parentsOnOtherPages,
    html: new Map(shownInFull.map(({ id }, index) => [id, html[index] ?? ''])),
  };
}

const commentNouns: Partial<Record<ContentType, { singular: string; plural: string }>> = {
  question: { singular: 'answer', plural: 'answers' },
  comment: { singular: 'reply', plural: 'replies' },
};

const getCommentNouns = ({ content_type }: Project) =>
  commentNouns[content_type] ?? { singular: 'comment', plural: 'comments' };

interface CommentsProps {
  readonly project: Project;
  readonly thread: CommentThread;
  pageUrl(number: number): string;
  /** The form for a new comment. */
  readonly children: Child;
}

export function Comments({ project, thread, pageUrl, children }: CommentsProps) {
  const { singular, plural } = getCommentNouns(project);
  if (thread.count === 0) {
    return (
      <section class="comments" aria-labelledby="comments">
        <h2 id="comments">No {plural} yet</h2>
        {children}
      </section>
    );
  }
  const repliesByParent = Map.groupBy(thread.items, ({ parent }) => parent ?? 0);
  const idsOnPage = new Set(thread.items.map(({ id }) => id));
  const topLevel = thread.items.filter(({ parent }) => parent === null || !idsOnPage.has(parent));
  return (
    <section class="comments" aria-labelledby="comments">
      <h2 id="comments">
        {thread.count.toLocaleString('en')} {thread.count === 1 ? singular : plural}
      </h2>
      <CommentList comments={topLevel} depth={1} repliesByParent={repliesByParent} thread={thread} />
      <Pager {...thread} urlOf={pageUrl} />
      {children}
    </section>
  );
}

interface CommentListProps {
  readonly comments: readonly Project[];
  readonly depth: number;
  readonly repliesByParent: ReadonlyMap<number, readonly Project[]>;
  readonly thread: CommentThread;
}

function CommentList({ comments, depth, repliesByParent, thread }: CommentListProps) {
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
              html={thread.html.get(comment.id)}
              parent={thread.parentsOnOtherPages.get(comment.parent ?? 0)}
            />
            {replies.length > 0 && (
              <CommentList
                comments={replies}
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
  /** Undefined for a long comment, of which only the beginning is shown. */
  readonly html: string | undefined;
  readonly parent: ProjectReference | undefined;
}

function Comment({ comment, html, parent }: CommentProps) {
  // A title that only repeats the first words is left out: then the byline is the heading.
  const isTitled = hasOwnTitle(comment);
  const Byline = isTitled ? 'p' : 'h3';
  return (
    <article class="comment">
      {isTitled && (
        <h3 class="name" dir="auto">
          <a href={projectPath(comment)}>{comment.title}</a>
        </h3>
      )}
      <Byline class="byline">
        <ContributorLink project={comment} hasAvatar />
        {' · '}
        <a href={projectPath(comment)}>
          <DateText instant={comment.created} />
        </a>
        {' · '}
        <a href={`${projectPath(comment)}#say`}>Reply</a> <ReportLink project={comment} />
        {parent && (
          <>
            {' · in reply to '}
            <ProjectLink project={parent} />
          </>
        )}
      </Byline>
      {html === undefined ? (
        <p class="text" dir="auto">
          {excerpt(comment.text, comment.title, 600)} <a href={projectPath(comment)}>Read more</a>
        </p>
      ) : (
        <div class="text" dir="auto">
          {raw(html)}
        </div>
      )}
    </article>
  );
}

interface CommentFormProps {
  readonly project: Project;
  readonly formErrors?: FormErrors;
}

/** The form for a comment, or a link to sign in. */
export function CommentForm({ project, formErrors }: CommentFormProps) {
  const { name, viewer } = useLayout();
  if (name === undefined)
    return (
      <p class="notice sign-in-notice">
        <a href="/sign-in/" rel="nofollow">
          Sign in
        </a>{' '}
        to remix, rate or comment.
      </p>
    );
  if (!can(viewer, 'comment', project.contributor)) return null;
  const { singular } = getCommentNouns(project);
  const fields = {
    text: { ...commentFields.text, label: `Your ${singular}`, help: 'You can use Markdown.' },
  };
  return (
    <form class="stacked-form comment-form" id="say" method="post" action={`${projectPath(project)}comment/`}>
      <ErrorSummary formErrors={formErrors} fields={fields} prefix="say" />
      <CsrfField />
      <OnceField formErrors={formErrors} />
      <FormFields fields={fields} formErrors={formErrors} prefix="say" />
      <button type="submit">Post {singular}</button>
    </form>
  );
}
