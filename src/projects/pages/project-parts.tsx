// Small parts of pages that are about a project.

import { displayName } from '../../core/contributors/contributor.ts';
import { Byline, ContributorLink, DateText, NameLink } from '../../core/pages/layout/components.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { projectPath } from '../../core/paths.ts';
import { removed, waiting } from '../../core/project-status.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { hasOwnTitle } from '../address.ts';
import type { Project } from '../project.ts';

/** The heading of a project where its text is shown too: a comment without a title does not say its first words twice. */
export const getHeading = ({ t }: Translator, project: Project): string =>
  hasOwnTitle(project) ? project.title : t('links.commentBy', { name: displayName(project) });

export type RatingFigures = Pick<Project, 'rating_count' | 'rating_sum'>;

/** The mean of the stars with one digit behind the point, and how many people gave some. */
export const averageRating = ({ formatNumber }: Translator, { rating_count, rating_sum }: RatingFigures) => ({
  average: formatNumber(Math.round((10 * rating_sum) / rating_count) / 10),
  count: rating_count,
});

export const ProjectLink = ({ project }: { project: Pick<Project, 'uuid' | 'slug' | 'title'> }) => (
  <NameLink href={projectPath(project)} name={project.title} />
);

/** Says why a moderator removed the project, or sent it back. */
export const reasonMessage = ({ status }: Pick<Project, 'status'>) =>
  status === removed ? 'project.removalReason' : 'project.sentBack';

/** Its author and moderators find what was removed, and what waits, in lists too. */
export function StatusBadge({ project: { status } }: { project: Pick<Project, 'status'> }) {
  const { language } = useLayout();
  if (status === removed) return <span class="badge">{language.t('project.removed')}</span>;
  return status === waiting ? <span class="badge">{language.t('status.waiting')}</span> : null;
}

/** A project in a list for moderators. */
export function ProjectByline({ project }: { project: Project }) {
  const { t, rich } = useLanguage();
  const name = <ContributorLink project={project} />;
  const typeBy = rich('list.typeBy', { type: t(`type.${project.content_type}`), name });
  return <Byline parts={[typeBy, <DateText instant={project.created} isAgo />]} />;
}
