// The actions on a project's page, each a form or a link to one. submissions.ts handles the forms.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { isCollection } from '../../../core/content-types.ts';
import { allowsRemixes } from '../../../core/licenses.ts';
import { cached } from '../../../core/pages/layout/cached.tsx';
import { SignInButton } from '../../../core/pages/layout/components.tsx';
import { ButtonForm, Form, OnceField } from '../../../core/pages/layout/form.tsx';
import { useLanguage, useLayout } from '../../../core/pages/layout/layout-data.ts';
import { contributorPath, historyPath, projectPath, reportPath } from '../../../core/paths.ts';
import { draft, published, removed } from '../../../core/project-status.ts';
import { isTypeOffered } from '../../../core/site/site-fields.ts';
import { can } from '../../../core/viewer/permissions.ts';
import { isAnonymous } from '../../../core/viewer/viewer.ts';
import { canSeeHistory } from '../../history/history.ts';
import { findRefusalToKeep } from '../../hooks.ts';
import { profileLimits } from '../../people/profile.ts';
import type { Project } from '../../project.ts';
import { ratingRange } from '../../ratings/rate.ts';
import { canChange } from '../../writing/changeable.ts';
import { Share } from './share.tsx';

/** For somebody with an account. */
export const mayHaveRemixes = ({ content_type, license }: Project): boolean =>
  content_type !== 'comment' && !isCollection({ content_type }) && allowsRemixes(license);

interface ProjectActionsProps {
  readonly project: Project;
  /** The viewer's own rating. */
  readonly rating: number | undefined;
  readonly hasRated: boolean;
  readonly mayCopy: boolean;
  readonly origin: string;
  /** The author's pinned projects; undefined if this one cannot be pinned. */
  readonly pins: readonly string[] | undefined;
  readonly featureActions: readonly Child[];
  readonly shareSections: readonly Child[];
}

export function ProjectActions(props: ProjectActionsProps) {
  const { project, rating, hasRated, mayCopy, origin, pins, featureActions } = props;
  const { viewer, site, language } = useLayout();
  const { t } = language;
  const Rating = site.ratings === 'heart' ? HeartForm : RatingForm;
  const path = projectPath(project);
  const isComment = project.content_type === 'comment';
  const isDraft = project.status === draft;
  const isKept = !findRefusalToKeep(project);
  const isOwn = project.contributor === viewer.contributor;
  const edit = canChange(viewer, project) && project.status !== removed && (
    <a class={isOwn ? 'button' : 'button quiet'} href={`${path}edit/`}>
      {t('actions.edit')}
    </a>
  );
  return (
    <section class="actions" aria-label={t('actions.title')}>
      {isOwn && edit}
      {isDraft && isOwn && canChange(viewer, project) && (
        <ButtonForm action={`${path}status/`} variant="quiet" name="status" value={String(published)}>
          {t('edit.publish')}
        </ButtonForm>
      )}
      {!isComment && !isDraft && mayCopy && (
        <Form action={`${path}copy/`}>
          <OnceField />
          <button type="submit" class="quiet">
            {t('actions.remix')}
          </button>
        </Form>
      )}
      {isAnonymous(viewer) && mayHaveRemixes(project) && isTypeOffered(site.types, project.content_type) && (
        <SignInButton href="/sign-in/?remix">{t('actions.remix')}</SignInButton>
      )}
      {!isOwn && edit}
      {isKept && can(viewer, 'rateProject', project.contributor) && (
        <Rating path={path} rating={rating} isSaved={hasRated} />
      )}
      {isKept && pins && <PinForm project={project} pins={pins} />}
      {featureActions}
      {isKept && <Share project={project} origin={origin} sections={props.shareSections} />}
      <p class="links">
        {canSeeHistory(viewer, project) && <a href={historyPath(project)}>{t('actions.history')}</a>}
        <ReportLink project={project} />
      </p>
    </section>
  );
}

function PinForm({ project, pins }: { project: Project; pins: readonly string[] }) {
  const { t, rich } = useLanguage();
  const isPinned = pins.includes(project.uuid);
  const max = profileLimits.pinned;
  if (!isPinned && pins.length >= max) {
    const page = contributorPath(project.contributor, project.username);
    return (
      <p class="faint" id="pin">
        {t('api.profile.pinsFull', { max })}{' '}
        {rich('actions.seePins', { link: (text) => <a href={page}>{text}</a> })}
      </p>
    );
  }
  return (
    <Form id="pin" action={`${projectPath(project)}pin/`}>
      <button type="submit" class="quiet" name="pinned" value={isPinned ? 'no' : 'yes'}>
        {t(isPinned ? 'actions.unpin' : 'actions.pin')}
      </button>
    </Form>
  );
}

/** The page behind it asks anonymous visitors to sign in. */
export function ReportLink({ project }: { project: Project }) {
  const { viewer, language } = useLayout();
  if (project.contributor === viewer.contributor || project.status === removed) return null;
  return (
    <a href={reportPath(project)} rel="nofollow">
      {language.t('actions.report')}
      <span class="visually-hidden"> {project.title}</span>
    </a>
  );
}

const ratingValues = Array.from({ length: ratingRange.max }, (_, index) => index + ratingRange.min);

interface RatingProps {
  readonly rating: number | undefined;
  /** It has just changed. The keyboard goes on where it was. */
  readonly isSaved: boolean;
}

/** Gives a rating of 5, or withdraws it. */
function HeartForm({ path, rating, isSaved }: RatingProps & { path: string }) {
  const isGiven = rating === ratingRange.max;
  return (
    <Form class="rating heart" id="rating" action={`${path}rate/`}>
      <button
        type="submit"
        name="value"
        value={isGiven ? '' : String(ratingRange.max)}
        class={isGiven ? 'given' : undefined}
        aria-pressed={isGiven ? 'true' : 'false'}
        autofocus={isSaved}
      >
        <span aria-hidden="true">♥</span> {useLanguage().t('rating.heart')}
      </button>
      {isSaved && <SavedRating rating={rating} />}
    </Form>
  );
}

function RatingForm({ path, rating, isSaved }: RatingProps & { path: string }) {
  return (
    <Form class="rating" id="rating" action={`${path}rate/`}>
      <RatingButtons rating={rating} isSaved={isSaved} />
      {isSaved && <SavedRating rating={rating} />}
    </Form>
  );
}

function SavedRating({ rating }: { rating: number | undefined }) {
  return (
    <p class="faint" role="status">
      {useLanguage().t(rating === undefined ? 'rating.removed' : 'rating.saved')}
    </p>
  );
}

const RatingButtons = cached(function RatingButtons({ rating, isSaved }: RatingProps) {
  const { t } = useLanguage();
  const { max } = ratingRange;
  return (
    <fieldset>
      <legend>{rating === undefined ? t('actions.rate') : t('actions.yourRating', { rating, max })}</legend>
      {ratingValues.map((ratingValue) => (
        <button
          type="submit"
          name="value"
          value={String(ratingValue)}
          class={rating !== undefined && ratingValue <= rating ? 'given' : undefined}
          aria-pressed={ratingValue === rating ? 'true' : 'false'}
          aria-label={t('actions.ratingOf', { rating: ratingValue, max })}
          autofocus={isSaved && ratingValue === (rating ?? ratingRange.min)}
        >
          <span aria-hidden="true">{rating !== undefined && ratingValue <= rating ? '★' : '☆'}</span>
        </button>
      ))}
      {rating !== undefined && (
        <button class="plain" type="submit" name="value" value="">
          {t('actions.removeRating')}
        </button>
      )}
    </fieldset>
  );
});
