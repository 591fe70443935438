// Projects as cards. Some content types differ: a quote shows its text, a link its host, a question its answer count.

import { displayName } from '../gallery/contributors/contributor.ts';
import type { Media } from '../gallery/media/media.ts';
import { projectPath } from '../gallery/paths.ts';
import type { ProjectFinder, ProjectReference } from '../gallery/projects/find.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { DateText } from './dates.tsx';
import { ContributorLink, ProjectLink } from './links.tsx';
import { excerpt, extractQuote } from './markdown.ts';
import { Cover } from './media.tsx';

/** Projects with the related data that their cards show. */
export interface CardData {
  readonly projects: readonly Project[];
  readonly references: ReadonlyMap<number, ProjectReference>;
  readonly answerCounts: ReadonlyMap<number, number>;
  readonly covers: ReadonlyMap<number, Media>;
}

/** Answers are counted up to this number. */
const maxAnswerCount = 100;

export async function loadCardData(
  finder: ProjectFinder,
  viewer: Viewer,
  projects: readonly Project[],
): Promise<CardData> {
  const referenceIds = projects.flatMap(({ copied_from, parent }) => parent ?? copied_from ?? []);
  const questionIds = projects.filter(({ content_type }) => content_type === 'question').map(({ id }) => id);
  const [references, answerCounts, covers] = await Promise.all([
    finder.loadReferences(viewer, referenceIds),
    finder.countReplies(viewer, questionIds, maxAnswerCount),
    finder.loadCovers(projects.map(({ id }) => id)),
  ]);
  return { projects, references, answerCounts, covers };
}

interface CardsProps {
  readonly data: CardData;
  /** For pages about one contributor. */
  readonly hidesContributor?: boolean;
  /** For lists of copies of one project. */
  readonly hidesSource?: boolean;
  readonly level?: 'h2' | 'h3';
}

export function Cards({
  data,
  hidesContributor = false,
  hidesSource = false,
  level: Level = 'h2',
}: CardsProps) {
  return (
    <ul class="cards">
      {data.projects.map((project) => (
        <li class={`card of-${project.content_type}`}>
          <Cover media={data.covers.get(project.id)} />
          <p class="eyebrow">{project.content_type}</p>
          <Level class="name" dir="auto">
            <a href={projectPath(project)}>{project.title}</a>
          </Level>
          <CardBody project={project} data={data} />
          {!hidesSource && <Source project={project} data={data} />}
          <p class="byline">
            {!hidesContributor && (
              <>
                <ContributorLink project={project} />
                {' · '}
              </>
            )}
            <DateText instant={project.created} />
            {project.karma > 0 && <> · {project.karma.toLocaleString('en')} karma</>}
          </p>
        </li>
      ))}
    </ul>
  );
}

function CardBody({ project, data }: { project: Project; data: CardData }) {
  const text = excerpt(project.text, project.title);
  const answers = data.answerCounts.get(project.id) ?? 0;
  return (
    <>
      {project.content_type === 'quote' ? (
        <blockquote class="excerpt" dir="auto">
          {extractQuote(project.text) || text}
        </blockquote>
      ) : (
        text && (
          <p class="excerpt" dir="auto">
            {text}
          </p>
        )
      )}
      {project.link && <p class="link-host">{formatHost(project.link)}</p>}
      {project.content_type === 'question' && (
        <p class={answers ? 'answers' : 'answers none'}>
          {answers === 0 && 'No answer yet'}
          {answers === 1 && '1 answer'}
          {answers > 1 && `${answers}${answers === maxAnswerCount ? ' or more' : ''} answers`}
        </p>
      )}
    </>
  );
}

/** The project that a comment is about, or that a copy was made from. */
function Source({ project, data }: { project: Project; data: CardData }) {
  const reference = data.references.get(project.parent ?? project.copied_from ?? 0);
  if (!reference) return null;
  return (
    <p class="origin">
      {project.parent ? 'On ' : 'Copy of '}
      <ProjectLink project={reference} />
      {!project.parent && (
        <>
          {' '}
          by <bdi>{displayName(reference)}</bdi>
        </>
      )}
    </p>
  );
}

/** The host of a link, shortened and as browsers display it. */
export function formatHost(link: string): string {
  return URL.parse(link)?.host.replace(/^www\./, '') ?? link;
}
