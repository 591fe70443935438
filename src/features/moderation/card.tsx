// The cards of /moderation/ and /moderation/waiting/: a project or a comment with what a moderator needs to decide on it.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { type AccountDetails, loadAccounts } from '../../core/accounts/account.ts';
import { excerpt } from '../../core/markdown/markdown.ts';
import {
  accountPath,
  Byline,
  ContributorLink,
  DateText,
  NameLink,
} from '../../core/pages/layout/components.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import type { PageContext } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import type { MessageKey } from '../../core/texts/languages.ts';
import type { Media } from '../../projects/media/media.ts';
import { commentsPerPage } from '../../projects/pages/project/comments.tsx';
import { Cover } from '../../projects/pages/project/shown-files.tsx';
import type { ProjectWithTrash } from '../../projects/reading/find-projects.ts';
import { loadCommentPlaces } from './comment-place.ts';
import { canDisable } from './disable-accounts.ts';
import { countDecisionsAgainst } from './log.ts';

/** The parts of a project that a card shows. */
export interface Card {
  readonly project: ProjectWithTrash;
  readonly author: AccountDetails | undefined;
  readonly decisionCount: number;
  readonly cover: Media | undefined;
  /** Of a comment, if the viewer may see its project. */
  readonly thread: CommentContext | undefined;
}

interface CommentContext {
  /** The project or comment that it answers, if the viewer may see it. */
  readonly answered: ProjectWithTrash | undefined;
  /** The project that the thread belongs to. */
  readonly root: ProjectWithTrash;
  /** The address of the comment in the thread. */
  readonly place: string;
}

/** The cards of the projects that exist, by id. */
export async function loadCards(
  { database, projects, viewer }: PageContext,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Card>> {
  const projectsById = await projects.loadWithTrash(viewer, ids);
  const authors = [...projectsById.values()].map(({ contributor }) => contributor);
  const [accounts, decisionCounts, covers, threads] = await Promise.all([
    loadAccounts(database, authors),
    countDecisionsAgainst(database, authors),
    projects.loadCovers(ids),
    loadThreads({ database, projects, viewer }, [...projectsById.values()]),
  ]);
  return new Map(
    [...projectsById.values()].map((project) => {
      const author = accounts.get(project.contributor);
      const decisionCount = decisionCounts.get(project.contributor) ?? 0;
      const [cover, thread] = [covers.get(project.id), threads.get(project.id)];
      return [project.id, { project, author, decisionCount, cover, thread }];
    }),
  );
}

async function loadThreads(
  { database, projects, viewer }: Pick<PageContext, 'database' | 'projects' | 'viewer'>,
  shown: readonly ProjectWithTrash[],
): Promise<Map<number, CommentContext>> {
  const comments = shown.filter(({ parent }) => parent !== null);
  const places = await loadCommentPlaces(
    database,
    viewer,
    comments.map(({ id }) => id),
  );
  const roots = [...places.values()].map(({ root }) => root);
  const parents = comments.flatMap(({ parent }) => parent ?? []);
  const others = await projects.loadWithTrash(viewer, [...roots, ...parents]);
  return new Map(
    comments.flatMap(({ id, parent }) => {
      const { root: rootId, before } = places.get(id) ?? { root: 0, before: 0 };
      const [root, answered] = [others.get(rootId), others.get(parent ?? 0)];
      if (!root) return [];
      const number = Math.floor(before / commentsPerPage) + 1;
      const place = `${createPageUrl(projectPath(root))(number)}#comment-${id}`;
      return [[id, { root, answered, place }]];
    }),
  );
}

interface DecisionCardProps {
  readonly card: Card;
  readonly hasFocus: boolean;
  /** After the type of the project. */
  readonly eyebrow?: Child;
  /** Shows the whole text. */
  readonly isWhole?: boolean;
  /** The form, and what is above it. */
  readonly children: Child;
}

export function DecisionCard({ card, hasFocus, eyebrow, isWhole = false, children }: DecisionCardProps) {
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  const { project, author, decisionCount, cover, thread } = card;
  const words = isWhole ? project.text : excerpt(project.text, project.title, 400);
  return (
    <li>
      <article
        class="reported"
        id={`project-${project.id}`}
        tabindex={-1}
        aria-labelledby={`title-${project.id}`}
        autofocus={hasFocus || undefined}
      >
        <p class="eyebrow">
          {t(`type.${project.content_type}`)}
          {eyebrow}
        </p>
        <h2 id={`title-${project.id}`} dir="auto">
          {project.trashed === null ? <a href={projectPath(project)}>{project.title}</a> : project.title}
        </h2>
        <Byline
          parts={[
            rich('list.by', { name: <ContributorLink project={project} /> }),
            <DateText instant={project.created} isAgo />,
            t('queue.pastDecisions', { count: decisionCount }),
            author?.disabled && t('queue.disabled'),
          ]}
        />
        {thread && <Answered thread={thread} comment={project} />}
        {!isWhole && <Cover media={cover} />}
        {words && (
          <p class={isWhole ? 'whole-text' : 'excerpt'} dir="auto">
            {words}
          </p>
        )}
        {children}
        {author && author.disabled === null && canDisable(viewer, author) && (
          <p class="links">
            <a href={accountPath(author.username)}>
              {rich('queue.account', { username: <bdi>{author.username}</bdi> })}
            </a>
          </p>
        )}
      </article>
    </li>
  );
}

/** The text that a comment answers, and the link to its place there. */
function Answered({ thread, comment }: { thread: CommentContext; comment: ProjectWithTrash }) {
  const { rich } = useLanguage();
  const { answered, root, place } = thread;
  const words = answered && excerpt(answered.text, answered.title, 200);
  const isInThread = comment.trashed === null && root.trashed === null;
  const project = isInThread ? <NameLink href={place} name={root.title} /> : <bdi>{root.title}</bdi>;
  return (
    <div class="answered">
      <p>{rich('cards.on', { project })}</p>
      {words && (
        <blockquote>
          <p dir="auto">{words}</p>
          <Byline parts={[rich('list.by', { name: <ContributorLink project={answered} /> })]} />
        </blockquote>
      )}
    </div>
  );
}

/** The script of the queues shows it. */
export function KeysSwitch({ message }: { message: MessageKey }) {
  const { rich } = useLanguage();
  return (
    <p class="keys faint" hidden>
      <label>
        <input type="checkbox" /> {rich(message, { key: (name) => <kbd>{name}</kbd> })}
      </label>
    </p>
  );
}
