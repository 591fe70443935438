// A decision in the log, with the button to undo it. The queue shows the latest decision, too.

import { readFields, toText } from '../../common/fields.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { decisionField, requiredReasonFields } from '../../gallery/decisions/decision.ts';
import { parseId, requireId } from '../../gallery/ids.ts';
import { leaveAsIs, removeProject, undoDecision } from '../../gallery/moderation/decide.ts';
import { canBeUndone, type DecisionLogEntry, findDecision } from '../../gallery/moderation/log.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { authorizeAny, can } from '../../gallery/permissions.ts';
import type { Project } from '../../gallery/projects/project.ts';
import { urlWithParameters } from '../../rest/request-url.ts';
import { DateTimeText } from '../layout/dates.tsx';
import { ButtonForm, Form, FormFields, visuallyHidden } from '../layout/form.tsx';
import { useLanguage, useLayout } from '../layout/layout-data.ts';
import { ProjectLink } from '../layout/links.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { refererPath, seeOther } from '../redirects.ts';
import { showConflictOnPage } from './moderation-page.tsx';

export function Decision({ entry }: { entry: DecisionLogEntry }) {
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  const { reason, created, undone_by } = entry;
  return (
    <>
      <div>
        <DecisionSentence entry={entry} />
        {reason && (
          <p class="report-text" dir="auto">
            {reason}
          </p>
        )}
        <p class="byline">
          <DateTimeText instant={created} />
          {undone_by !== null && ` · ${t('log.undone')}`}
        </p>
      </div>
      {canBeUndone(entry) && can(viewer, 'decide', entry.contributor) && (
        <ButtonForm action={`/moderation/log/${entry.id}/undo/`} variant="quiet">
          {rich('log.undo', { subject: entry.title ?? entry.contributor_name, hidden: visuallyHidden })}
        </ButtonForm>
      )}
    </>
  );
}

function DecisionSentence({ entry }: { entry: DecisionLogEntry }) {
  const { t, rich } = useLanguage();
  const { title, uuid, slug, contributor, contributor_name, moderator_name } = entry;
  const sentence = rich(messageOf(entry), {
    moderator: <bdi>{moderator_name ?? t('log.operator')}</bdi>,
    b: (verb) => <b>{verb}</b>,
    project:
      title && uuid && slug ? (
        <ProjectLink project={{ title, uuid, slug }} />
      ) : (
        <bdi>{title || t('log.deletedProject')}</bdi>
      ),
    contributor: (
      <a href={contributorPath(contributor, contributor_name)}>
        <bdi>{contributor_name}</bdi>
      </a>
    ),
  });
  return <>{sentence}</>;
}

/** Of a person, a name is left as it is, and a profile is changed. */
function messageOf({ action, project }: DecisionLogEntry) {
  if (project === null && action === 'left') return 'log.leftName';
  if (project === null && action === 'changed') return 'log.changedProfile';
  return `log.${action}` as const;
}

/** The decision that was just made, as the query parameter `done` names it. */
export async function renderLatestDecision({ database }: PageDependencies, { url }: PageContext) {
  const id = parseId(url.query.get('done') ?? '');
  if (id === undefined) return null;
  const entry = await findDecision(database, id);
  return (
    <div class="notice row" role="status">
      <Decision entry={entry} />
    </div>
  );
}

// The handlers of the forms in the queue and the log: making a decision and undoing one.

const path = '/moderation/';

/** Leads to the next project in the queue. */
export async function submitDecision(deps: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'decide');
  const { data } = await context.request.readBody();
  const [project, nextProject] = [requireId(data.project), parseId(toText(data.next))];
  const { decision } = readFields({ decision: decisionField }, data);
  const { reason } = decision === 'remove' ? readFields(requiredReasonFields, data) : {};
  const { id } = await showConflictOnPage(() =>
    transactOnce(deps.database, context, (write) =>
      decision === 'remove'
        ? removeProject({ ...write, reason }, project)
        : leaveAsIs(write, project, parseId(toText(data.seen))),
    ),
  );
  if (nextProject === undefined) return seeOther(`${path}?done=${id}`);
  const href = urlWithParameters(path, context.url.query, { done: String(id) });
  return seeOther(`${href}#project-${nextProject}`);
}

export async function submitUndo(deps: PageDependencies, context: PageContext) {
  const id = requireId(context.params.id);
  await showConflictOnPage(() => transactOnce(deps.database, context, (write) => undoDecision(write, id)));
  const referer = refererPath(context.request);
  return seeOther(referer.startsWith(path) ? referer : `${path}log/`);
}

// The form with which a moderator removes a project that is not in the queue.

interface RemovalFormProps {
  readonly project: Project;
}

export function RemovalForm({ project }: RemovalFormProps) {
  const { t } = useLanguage();
  return (
    <section aria-labelledby="removal">
      <h2 id="removal">{t('removal.title')}</h2>
      <Form class="stacked-form" action="/moderation/">
        <input type="hidden" name="project" value={String(project.id)} />
        <FormFields fields={requiredReasonFields} prefix="r" />
        <button class="danger" type="submit" name="decision" value="remove">
          {t('queue.remove')}
        </button>
      </Form>
    </section>
  );
}
