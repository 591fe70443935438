// Projects as cards: a cover, and below it who made what.

import { displayName } from '../gallery/contributors/contributor.ts';
import type { Media } from '../gallery/media/media.ts';
import { projectPath } from '../gallery/paths.ts';
import type { ProjectFinder, ProjectReference } from '../gallery/projects/find.ts';
import type { Project } from '../gallery/projects/project.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { DateText } from './dates.tsx';
import { ContributorLink, getHeading, ProjectLink } from './links.tsx';
import { ProjectCover } from './posters.tsx';

/** Projects with the related data that their cards show. */
export interface CardData {
  readonly projects: readonly Project[];
  readonly references: ReadonlyMap<number, ProjectReference>;
  readonly answerCounts: ReadonlyMap<number, number>;
  readonly covers: ReadonlyMap<number, Media>;
}

/** Pictures that are seen at once are not loaded late. */
const firstRow = 4;

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
      {data.projects.map((project, index) => (
        <li class="card">
          <ProjectCover project={project} media={data.covers.get(project.id)} eager={index < firstRow} />
          <Level class="name" dir="auto">
            <a href={projectPath(project)}>{getHeading(project)}</a>
          </Level>
          {!hidesSource && <Source project={project} data={data} />}
          <p class="byline">
            {hidesContributor ? (
              <DateText instant={project.created} />
            ) : (
              <ContributorLink project={project} hasAvatar />
            )}
            <CardFigures project={project} data={data} />
          </p>
        </li>
      ))}
    </ul>
  );
}

function CardFigures({ project, data }: { project: Project; data: CardData }) {
  const answers = data.answerCounts.get(project.id) ?? 0;
  return (
    <span class="figures">
      {project.content_type === 'question' && (
        <span class="answers">
          {answers === 0 && 'no answers yet'}
          {answers === 1 && '1 answer'}
          {answers > 1 && `${answers}${answers === maxAnswerCount ? '+' : ''} answers`}
        </span>
      )}
      {project.karma > 0 && (
        <span class="karma">
          <span aria-hidden="true">♥ </span>
          {project.karma.toLocaleString('en')}
          <span class="visually-hidden"> karma</span>
        </span>
      )}
    </span>
  );
}

/** The project that a comment is about, or that a copy was made from. */
function Source({ project, data }: { project: Project; data: CardData }) {
  const reference = data.references.get(project.parent ?? project.copied_from ?? 0);
  if (!reference) return null;
  return (
    <p class="origin">
      {project.parent ? 'On ' : 'Remix of '}
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
