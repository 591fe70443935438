// The actions on a project's page, each a form or a link to one. project-submissions.ts handles the forms.

import { historyPath, projectPath, reportPath } from '../gallery/paths.ts';
import { can } from '../gallery/permissions.ts';
import { canChange } from '../gallery/projects/changeable.ts';
import { canCopy } from '../gallery/projects/create.ts';
import { canSeeHistory } from '../gallery/projects/history.ts';
import type { Project } from '../gallery/projects/project.ts';
import { draft, removed } from '../gallery/projects/status.ts';
import { ratingRange } from '../gallery/ratings/rating.ts';
import { embedCode, isEmbeddable } from './embed-code.tsx';
import { CsrfField, OnceField } from './form.tsx';
import { useLayout } from './layout-data.ts';

interface ProjectActionsProps {
  readonly project: Project;
  /** The viewer's own rating. */
  readonly rating: number | undefined;
  readonly origin: string;
}

export function ProjectActions({ project, rating, origin }: ProjectActionsProps) {
  const { viewer } = useLayout();
  const path = projectPath(project);
  const isComment = project.content_type === 'comment';
  return (
    <section class="actions" aria-label="Actions">
      {canChange(viewer, project) && project.status !== removed && (
        <a class="button" href={`${path}edit/`}>
          Edit
        </a>
      )}
      {!isComment && canCopy(viewer, project) && (
        <form method="post" action={`${path}copy/`}>
          <CsrfField />
          <OnceField />
          <button type="submit" class="quiet">
            Remix this
          </button>
        </form>
      )}
      {can(viewer, 'rateProject', project.contributor) && <RatingForm path={path} rating={rating} />}
      <Share project={project} origin={origin} />
      <p class="links">
        {canSeeHistory(viewer, project) && <a href={historyPath(project)}>History</a>}
        <ReportLink project={project} />
      </p>
    </section>
  );
}

/** The page behind it asks anonymous visitors to sign in. */
export function ReportLink({ project }: { project: Project }) {
  const { viewer } = useLayout();
  if (project.contributor === viewer.contributor || project.status === removed) return null;
  return (
    <a href={reportPath(project)} rel="nofollow">
      Report<span class="visually-hidden"> {project.title}</span>
    </a>
  );
}

const ratingValues = Array.from({ length: ratingRange.max }, (_, index) => index + ratingRange.min);

function RatingForm({ path, rating }: { path: string; rating: number | undefined }) {
  return (
    <form class="rating" id="rating" method="post" action={`${path}rate/`}>
      <CsrfField />
      <fieldset>
        <legend>{rating === undefined ? 'Rate this' : `Your rating: ${rating} of ${ratingRange.max}`}</legend>
        {ratingValues.map((ratingValue) => (
          <button
            type="submit"
            name="value"
            value={String(ratingValue)}
            class={rating !== undefined && ratingValue <= rating ? 'given' : undefined}
            aria-pressed={ratingValue === rating ? 'true' : 'false'}
            aria-label={`${ratingValue} of ${ratingRange.max}`}
          >
            <span aria-hidden="true">★</span>
          </button>
        ))}
        {rating !== undefined && (
          <button class="plain" type="submit" name="value" value="">
            Remove my rating
          </button>
        )}
      </fieldset>
    </form>
  );
}

function Share({ project, origin }: { project: Project; origin: string }) {
  if (project.visibility === 'private') return null;
  return (
    <details class="share">
      <summary>Share</summary>
      <label for="share-address">Link</label>
      <input id="share-address" type="text" readonly value={origin + projectPath(project)} dir="ltr" />
      {isEmbeddable(project) && project.status !== draft && (
        <>
          <label for="share-card">Embed code</label>
          <textarea id="share-card" readonly rows={4} dir="ltr" spellcheck={false}>
            {String(embedCode(project, origin))}
          </textarea>
        </>
      )}
    </details>
  );
}
