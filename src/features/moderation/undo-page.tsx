// A decision in the log, with the button to undo it. The queue shows the latest decision, too.

import { readFields, toText } from '#rest/fields.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { decisionField } from '../../core/decisions/decision.ts';
import { parseId, requireId } from '../../core/ids.ts';
import { Byline, DateTimeText, NameLink, ReportText } from '../../core/pages/layout/components.tsx';
import { ButtonForm, visuallyHidden } from '../../core/pages/layout/form.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import { showConflictOnPage } from '../../core/pages/moderation-page.tsx';
import { anyone, form, type PageContext, refererPath, seeOther } from '../../core/pages/page.ts';
import { contributorPath } from '../../core/paths.ts';
import { can } from '../../core/viewer/permissions.ts';
import { ProjectLink } from '../../projects/pages/project-parts.tsx';
import { leaveAllOf, leaveAsIs, removeProject, undoDecision } from './decide.ts';
import { canBeUndone, type DecisionLogEntry, findDecision } from './log.ts';
import { getRemovalFields, getRemovalReasons, readReason } from './usual-reasons.ts';

export function Decision({ entry }: { entry: DecisionLogEntry }) {
  const { viewer, language } = useLayout();
  const { t, rich } = language;
  const { reason, created, undone_by } = entry;
  return (
    <>
      <div>
        <DecisionSentence entry={entry} />
        {reason && <ReportText text={reason} />}
        <Byline parts={[<DateTimeText instant={created} />, undone_by !== null && t('log.undone')]} />
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
    contributor: <NameLink href={contributorPath(contributor, contributor_name)} name={contributor_name} />,
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
export async function renderLatestDecision({ database, url }: PageContext) {
  const id = parseId(url.query.get('done') ?? '');
  if (id === undefined) return null;
  const entry = await findDecision(database, id);
  return (
    <div class="notice row in-sight" role="status">
      <Decision entry={entry} />
    </div>
  );
}

const path = '/moderation/';

export const decisionRoutes = [
  // Leads to the next project in the queue.
  form(path, 'decide', async (context) => {
    const { data } = await context.request.readBody();
    const [project, nextProject] = [requireId(data.project), parseId(toText(data.next))];
    const { decision } = readFields({ decision: decisionField }, data);
    const { language } = context.layout;
    const reason =
      decision === 'remove'
        ? readReason(getRemovalFields(language), getRemovalReasons(language), data)
        : undefined;
    const { id } = await showConflictOnPage(() =>
      context.transact((write) =>
        decision === 'remove'
          ? removeProject({ ...write, reason }, project)
          : leaveAsIs(write, project, { upTo: parseId(toText(data.seen)) }),
      ),
    );
    if (nextProject === undefined) return seeOther(`${path}?done=${id}`);
    const href = urlWithParameters(path, context.url.query, { done: String(id) });
    return seeOther(`${href}#project-${nextProject}`);
  }),
  form('/moderation/reporters/:id/leave/', 'decide', async (context) => {
    const { data } = await context.request.readBody();
    const [reporter, seen] = [requireId(context.params.id), requireId(data.seen)];
    await showConflictOnPage(() => context.transact((write) => leaveAllOf(write, reporter, seen)));
    return seeOther(`${path}?left`);
  }),
  form('/moderation/log/:id/undo/', anyone, async (context) => {
    const id = requireId(context.params.id);
    await showConflictOnPage(() => context.transact((write) => undoDecision(write, id)));
    const referer = refererPath(context.request);
    return seeOther(referer.startsWith(path) ? referer : `${path}log/`);
  }),
];
