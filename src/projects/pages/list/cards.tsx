// Projects as cards: a cover, and below it who made what.

import type { Phrase } from '#sql';
import { displayName } from '../../../core/contributors/contributor.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { ContributorLink, DateText } from '../../../core/pages/layout/components.tsx';
import { useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { projectPath } from '../../../core/paths.ts';
import type { Viewer } from '../../../core/viewer/viewer.ts';
import type { Project } from '../../project.ts';
import type { ProjectFinder, ProjectReference } from '../../reading/find-projects.ts';
import { type ExcerptPart, findExcerpt } from '../../searching/excerpt.ts';
import {
  averageRating,
  getHeading,
  ProjectLink,
  type RatingFigures,
  StatusBadge,
} from '../project-parts.tsx';
import {
  CabinetStyles,
  type CoverContent,
  loadCoverContents,
  ProjectCover,
  withBeginning,
} from './posters.tsx';

/** Projects with the related data that their cards show. */
export interface CardData {
  readonly projects: readonly Project[];
  readonly references: ReadonlyMap<number, ProjectReference>;
  readonly answerCounts: ReadonlyMap<number, number>;
  readonly covers: ReadonlyMap<number, CoverContent>;
}

/** Pictures that are seen at once are not loaded late. */
export const firstRow = 4;

/** Answers are counted up to this number. */
export const maxAnswerCount = 100;

export async function loadCardData(
  finder: ProjectFinder,
  viewer: Viewer,
  projects: readonly Project[],
): Promise<CardData> {
  const referenceIds = projects.flatMap((project) => referenceOf(project) || []);
  const questionIds = projects.filter(({ content_type }) => content_type === 'question').map(({ id }) => id);
  const [references, answerCounts, covers] = await Promise.all([
    finder.loadReferences(viewer, referenceIds),
    finder.countReplies(viewer, questionIds, maxAnswerCount),
    loadCoverContents(finder, viewer, projects),
  ]);
  return { projects, references, answerCounts, covers };
}

export interface ListOptions {
  /** For pages about one contributor. */
  readonly hidesContributor?: boolean;
  /** For lists of copies of one project. */
  readonly hidesSource?: boolean;
  readonly level?: 'h2' | 'h3' | 'h4';
  /** On very wide screens, the first featured project has a card of four times the size. */
  readonly hasLarge?: boolean;
  /** Those of a search: the words around them are shown. */
  readonly phrases?: readonly Phrase[] | undefined;
}

interface CardsProps extends ListOptions {
  readonly data: CardData;
  /** In a collection, by project. */
  readonly notes?: ReadonlyMap<number, string>;
}

export function Cards({ notes, phrases, ...props }: CardsProps) {
  const { projects } = props.data;
  const large = props.hasLarge ? projects.find(isFeatured) : undefined;
  return (
    <>
      <CabinetStyles projects={projects} />
      <ul class="cards h-feed">
        {projects.map((project, index) => (
          <Card
            {...toCardProps(project, props)}
            isEager={index < firstRow}
            isLarge={project === large}
            note={notes?.get(project.id) ?? ''}
            excerpt={phrases ? findExcerpt(project.text, phrases) : []}
          />
        ))}
      </ul>
    </>
  );
}

export const isFeatured = ({ featured }: Pick<Project, 'featured'>) => featured !== null;

export const toCardProps = (
  project: Project,
  { data, hidesContributor, hidesSource, level }: CardsProps,
) => ({
  project: withBeginning(project),
  cover: data.covers.get(project.id),
  reference: hidesSource ? undefined : data.references.get(referenceOf(project)),
  answers: data.answerCounts.get(project.id) ?? 0,
  hidesContributor: hidesContributor ?? false,
  level: level ?? 'h2',
});

export const referenceOf = ({ parent, copied_from }: Project) => parent ?? copied_from ?? 0;

interface CardProps extends Required<Pick<CardsProps, 'hidesContributor' | 'level'>> {
  readonly project: Project;
  readonly cover: CoverContent | undefined;
  readonly note: string;
  readonly excerpt: readonly ExcerptPart[];
  /** The project that a comment is about, or that a copy was made from. */
  readonly reference: ProjectReference | undefined;
  readonly answers: number;
  readonly isEager: boolean;
  readonly isLarge: boolean;
}

export function UnkeptCard(props: CardProps) {
  const {
    project,
    cover,
    note,
    excerpt,
    reference,
    answers,
    isEager,
    isLarge,
    hidesContributor,
    level: Level,
  } = props;
  return (
    <li class={isLarge ? 'card h-entry large' : 'card h-entry'}>
      <ProjectCover project={project} cover={cover} eager={isEager} isLarge={isLarge} />
      <Level class="name" dir="auto">
        <a class="u-url p-name" href={projectPath(project)}>
          {getHeading(useLanguage(), project)}
        </a>
      </Level>
      {excerpt.length > 0 && (
        <p class="excerpt" dir="auto">
          {excerpt.map(({ text, found }) => (found ? <mark>{text}</mark> : text))}
        </p>
      )}
      {reference && <Source project={project} reference={reference} />}
      <p class="byline">
        {hidesContributor ? (
          <DateText instant={project.created} property="dt-published" isAgo />
        ) : (
          <ContributorLink project={project} isAuthor hasAvatar />
        )}
        <StatusBadge project={project} />
        <CardFigures project={project} answers={answers} />
      </p>
      {note && (
        <p class="card-note" dir="auto">
          {note}
        </p>
      )}
    </li>
  );
}

const Card = cached(UnkeptCard);

function CardFigures({ project, answers }: { project: Project; answers: number }) {
  const { site, language } = useLayout();
  const { t } = language;
  return (
    <span class="figures">
      {project.content_type === 'question' && (
        <span class="answers">
          {t(answers < maxAnswerCount ? 'cards.answers' : 'cards.manyAnswers', { count: answers })}
        </span>
      )}
      {project.rating_count > 0 &&
        (site.ratings === 'heart' ? <Hearts {...project} /> : <Stars {...project} />)}
    </span>
  );
}

function Hearts({ rating_count }: RatingFigures) {
  const { t, formatNumber } = useLanguage();
  return (
    <span>
      <span aria-hidden="true">♥ {formatNumber(rating_count)}</span>
      <span class="visually-hidden">{t('cards.hearts', { count: rating_count })}</span>
    </span>
  );
}

function Stars(project: RatingFigures) {
  const language = useLanguage();
  const rating = averageRating(language, project);
  return (
    <span>
      <span aria-hidden="true">{`★ ${rating.average} (${language.formatNumber(rating.count)})`}</span>
      <span class="visually-hidden">{language.t('project.average', rating)}</span>
    </span>
  );
}

function Source({ project, reference }: { project: Project; reference: ProjectReference }) {
  const { rich } = useLanguage();
  return (
    <p class="origin">
      {project.parent
        ? rich('cards.on', { project: <ProjectLink project={reference} /> })
        : rich('cards.remixOf', {
            project: <ProjectLink project={reference} />,
            name: <bdi>{displayName(reference)}</bdi>,
          })}
    </p>
  );
}
