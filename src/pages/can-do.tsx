// What a reader can do with a project, on its page: each is a form of its own, or the way to one.

import { historyPath, projectPath, reportPath } from '../gallery/addresses.ts';
import { can } from '../gallery/permissions.ts';
import { commentFields } from '../gallery/projects/fields.ts';
import type { Project } from '../gallery/projects/project.ts';
import { ratingRange } from '../gallery/ratings/rating.ts';
import type { Viewer } from '../gallery/viewer.ts';
import { isEmbeddable } from './embed.tsx';
import { embedCode } from './embed-code.tsx';
import { Members, Once, Token, Wrong } from './form.tsx';
import type { Frame } from './frame.ts';
import type { Refused } from './serve.ts';

interface CanDo {
  readonly project: Project;
  readonly frame: Frame;
  /** What this reader gave it. */
  readonly rating: number | undefined;
  readonly base: string;
}

export function Actions({ project, frame, rating, base }: CanDo) {
  const { viewer, token } = frame;
  const path = projectPath(project);
  const comment = project.content_type === 'comment';
  return (
    <section class="actions" aria-label="What you can do">
      {can(viewer, 'changeProject', project.contributor) && project.status !== 3 && (
        <a class="button" href={`${path}edit/`}>
          Edit
        </a>
      )}
      {!comment && can(viewer, 'copyProject', project.contributor) && (
        <form method="post" action={`${path}copy/`}>
          <Token token={token} />
          <Once />
          <button type="submit" class="quiet">
            Make a copy
          </button>
        </form>
      )}
      {can(viewer, 'rateProject', project.contributor) && <Rate path={path} token={token} rating={rating} />}
      <Share project={project} base={base} />
      <p class="ways">
        <a href={historyPath(project)}>History</a>
        <ReportLink project={project} viewer={viewer} />
      </p>
    </section>
  );
}

/** Visitors are asked to sign in first. */
export function ReportLink({ project, viewer }: { project: Project; viewer: Viewer }) {
  if (project.contributor === viewer.contributor || project.status === 3) return null;
  return (
    <a href={reportPath(project)} rel="nofollow">
      Report<span class="unseen"> {project.title}</span>
    </a>
  );
}

const marks = Array.from({ length: ratingRange.most }, (_, index) => index + ratingRange.least);

function Rate({
  path,
  token,
  rating,
}: {
  path: string;
  token: string | undefined;
  rating: number | undefined;
}) {
  return (
    <form class="rating" id="rating" method="post" action={`${path}rate/`}>
      <Token token={token} />
      <fieldset>
        <legend>{rating === undefined ? 'Rate it' : `You gave it ${rating} of ${ratingRange.most}`}</legend>
        {marks.map((mark) => (
          <button
            type="submit"
            name="value"
            value={String(mark)}
            class={rating !== undefined && mark <= rating ? 'given' : undefined}
            aria-pressed={mark === rating ? 'true' : 'false'}
            aria-label={`${mark} of ${ratingRange.most}`}
          >
            <span aria-hidden="true">★</span>
          </button>
        ))}
        {rating !== undefined && (
          <button class="plain" type="submit" name="value" value="">
            Withdraw
          </button>
        )}
      </fieldset>
    </form>
  );
}

function Share({ project, base }: { project: Project; base: string }) {
  if (project.visibility === 'private') return null;
  return (
    <details class="share">
      <summary>Share</summary>
      <label for="share-address">Its address</label>
      <input id="share-address" type="text" readonly value={base + projectPath(project)} dir="ltr" />
      {isEmbeddable(project) && project.status !== 0 && (
        <>
          <label for="share-card">As a card on another page</label>
          <textarea id="share-card" readonly rows={4} dir="ltr" spellcheck={false}>
            {String(embedCode(project, base))}
          </textarea>
        </>
      )}
    </details>
  );
}

interface SayProps {
  readonly project: Project;
  readonly frame: Frame;
  readonly refused?: Refused;
}

/** The form for a comment, or the way to where one may write it. */
export function Say({ project, frame, refused }: SayProps) {
  if (frame.name === undefined)
    return (
      <p class="notice way-in">
        <a href="/sign-in/" rel="nofollow">
          Sign in
        </a>{' '}
        to copy it, rate it or say something.
      </p>
    );
  if (!can(frame.viewer, 'comment', project.contributor)) return null;
  const label =
    { question: 'Your answer', comment: 'Your reply' }[project.content_type as string] ?? 'Your comment';
  const fields = { text: { ...commentFields.text, label, help: 'Markdown works here.' } };
  return (
    <form class="asking say" id="say" method="post" action={`${projectPath(project)}comment/`}>
      <Wrong refused={refused} fields={fields} prefix="say" />
      <Token token={frame.token} />
      <Once refused={refused} />
      <Members fields={fields} refused={refused} prefix="say" />
      <button type="submit">Send</button>
    </form>
  );
}
