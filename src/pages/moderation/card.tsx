// The cards of /moderation/ and /moderation/waiting/: a project or a comment with what a moderator needs to decide on it.

import { type AccountDetails, loadAccounts } from '../../gallery/accounts/account.ts';
import type { Media } from '../../gallery/media/media.ts';
import { canDisable } from '../../gallery/moderation/accounts.ts';
import { countDecisionsAgainst } from '../../gallery/moderation/log.ts';
import { projectPath } from '../../gallery/paths.ts';
import type { ProjectWithTrash } from '../../gallery/projects/reading/find.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { accountPath, Byline, ContributorLink, DateText } from '../layout/components.tsx';
import { useLanguage, useLayout } from '../layout/layout-data.ts';
import type { PageDependencies } from '../page.ts';
import { Cover } from '../project/files.tsx';
import { excerpt } from '../text/markdown.ts';

/** The parts of a project that a card shows. */
export interface Card {
  readonly project: ProjectWithTrash;
  readonly author: AccountDetails | undefined;
  readonly decisionCount: number;
  readonly cover: Media | undefined;
}

/** The cards of the projects that exist, by id. */
export async function loadCards(
  { database, projects }: PageDependencies,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Card>> {
  const projectsById = await projects.loadWithTrash(ids);
  const authors = [...projectsById.values()].map(({ contributor }) => contributor);
  const [accounts, decisionCounts, covers] = await Promise.all([
    loadAccounts(database, authors),
    countDecisionsAgainst(database, authors),
    projects.loadCovers(ids),
  ]);
  return new Map(
    [...projectsById.values()].map((project) => {
      const author = accounts.get(project.contributor);
      const decisionCount = decisionCounts.get(project.contributor) ?? 0;
      return [project.id, { project, author, decisionCount, cover: covers.get(project.id) }];
    }),
  );
}

interface DecisionCardProps {
  readonly card: Card;
  readonly hasFocus: boolean;
  /** After the type of the project. */
  readonly eyebrow?: Child;
  /** The form, and what is above it. */
  readonly children: Child;
}

export function DecisionCard({ card, hasFocus, eyebrow, children }: DecisionCardProps) {
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  const { project, author, decisionCount, cover } = card;
  const words = excerpt(project.text, project.title, 400);
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
            <DateText instant={project.created} />,
            t('queue.pastDecisions', { count: decisionCount }),
            author?.disabled && t('queue.disabled'),
          ]}
        />
        <Cover media={cover} />
        {words && (
          <p class="excerpt" dir="auto">
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

/** The script of the queues shows it. */
export function KeysSwitch({ message }: { message: 'queue.keys' | 'waiting.keys' }) {
  const { rich } = useLanguage();
  return (
    <p class="keys faint" hidden>
      <label>
        <input type="checkbox" /> {rich(message, { key: (name) => <kbd>{name}</kbd> })}
      </label>
    </p>
  );
}
