// What people say of a project, in threads, some at a time: each stands below what it answers, as far as that is on
// the same page.

import { raw } from 'hono/html';
import type { Child } from 'hono/jsx';
import { projectPath } from '../gallery/addresses.ts';
import type { Mentioned, ProjectFinder } from '../gallery/projects/find.ts';
import { headingOf } from '../gallery/projects/heading.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { Pager } from '../rest/renderers/pager.tsx';
import { ReportLink } from './can-do.tsx';
import { type Numbered, numbered } from './listing.ts';
import { excerpt, toHtml } from './markdown.ts';
import { Maker, Title } from './named.tsx';
import { Day } from './times.tsx';

const size = 20;
/** Longer comments are read on their own page. */
const longest = 2000;
/** Deeper answers would have no room beside those before them. */
const deepest = 4;

interface Thread extends Numbered {
  /** What is answered on another page. */
  readonly elsewhere: ReadonlyMap<number, Mentioned>;
}

export async function threadOf(
  finder: ProjectFinder,
  viewer: Viewer,
  about: Project,
  query: URLSearchParams,
): Promise<Thread> {
  const shown = await numbered(finder.comments(viewer, about), query, size);
  const here = new Set([about.id, ...shown.projects.map(({ id }) => id)]);
  const away = shown.projects.flatMap(({ parent }) => (parent !== null && !here.has(parent) ? parent : []));
  return { ...shown, elsewhere: await finder.mentioned(viewer, away) };
}

interface Shown {
  readonly about: Project;
  readonly thread: Thread;
  readonly zone: string;
  readonly viewer: Viewer;
  address(number: number): string;
  /** Where the reader may say something. */
  readonly children: Child;
}

export function Comments({ about, thread, zone, viewer, address, children }: Shown) {
  const words = { question: ['answer', 'answers'], comment: ['reply', 'replies'] }[
    about.content_type as string
  ];
  const [one, many] = words ?? ['comment', 'comments'];
  if (thread.count === 0) {
    return (
      <section class="comments" aria-labelledby="comments">
        <h2 id="comments">No {many} yet</h2>
        {children}
      </section>
    );
  }
  const below = Map.groupBy(thread.projects, ({ parent }) => parent ?? 0);
  const here = new Set(thread.projects.map(({ id }) => id));
  const tops = thread.projects.filter(({ parent }) => parent === null || !here.has(parent));
  return (
    <section class="comments" aria-labelledby="comments">
      <h2 id="comments">
        {thread.count.toLocaleString('en')} {thread.count === 1 ? one : many}
      </h2>
      <List comments={tops} depth={1} below={below} thread={thread} zone={zone} viewer={viewer} />
      <Pager {...thread} address={address} />
      {children}
    </section>
  );
}

interface Branch {
  readonly comments: readonly Project[];
  readonly depth: number;
  readonly below: ReadonlyMap<number, readonly Project[]>;
  readonly thread: Thread;
  readonly zone: string;
  readonly viewer: Viewer;
}

function List({ comments, depth, below, thread, zone, viewer }: Branch) {
  return (
    <ol class="thread">
      {comments.map((comment) => {
        const answers = depth < deepest ? (below.get(comment.id) ?? []) : allBelow(comment, below);
        return (
          <li>
            <Comment
              comment={comment}
              answered={thread.elsewhere.get(comment.parent ?? 0)}
              zone={zone}
              viewer={viewer}
            />
            {answers.length > 0 && (
              <List
                comments={answers}
                depth={depth + 1}
                below={depth < deepest ? below : new Map()}
                thread={thread}
                zone={zone}
                viewer={viewer}
              />
            )}
          </li>
        );
      })}
    </ol>
  );
}

/** All answers, and those to them, in the order of the thread. */
function allBelow(comment: Project, below: Branch['below']): Project[] {
  const found = [...(below.get(comment.id) ?? [])];
  for (const one of found) found.push(...(below.get(one.id) ?? []));
  return found;
}

function Comment({
  comment,
  answered,
  zone,
  viewer,
}: {
  comment: Project;
  answered: Mentioned | undefined;
  zone: string;
  viewer: Viewer;
}) {
  const cut = comment.text.length > longest;
  // A title that repeats the first words says nothing; then who said it stands above.
  const named = comment.title !== headingOf(comment.text);
  const By = named ? 'p' : 'h3';
  return (
    <article class="comment">
      {named && (
        <h3 class="name" dir="auto">
          <a href={projectPath(comment)}>{comment.title}</a>
        </h3>
      )}
      <By class="by">
        <Maker of={comment} />
        {' · '}
        <a href={projectPath(comment)}>
          <Day at={comment.created} zone={zone} />
        </a>
        {' · '}
        <a href={`${projectPath(comment)}#say`}>Reply</a> <ReportLink project={comment} viewer={viewer} />
        {answered && (
          <>
            {' · answers '}
            <Title of={answered} />
          </>
        )}
      </By>
      {cut ? (
        <p class="text" dir="auto">
          {excerpt(comment.text, comment.title, 600)} <a href={projectPath(comment)}>Read all of it</a>
        </p>
      ) : (
        <div class="text" dir="auto">
          {raw(toHtml(comment.text, comment.title, 3))}
        </div>
      )}
    </article>
  );
}
