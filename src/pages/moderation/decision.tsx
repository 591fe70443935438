// A decision in the log, with the button to undo it. The queue shows the latest decision, too.

import { parseId } from '../../gallery/ids.ts';
import type { DecisionAction } from '../../gallery/moderation/decision.ts';
import { canBeUndone, type DecisionLogEntry, findDecision } from '../../gallery/moderation/log.ts';
import { contributorPath, projectPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import { DateTimeText } from '../dates.tsx';
import { ButtonForm } from '../form.tsx';
import { useLayout } from '../layout-data.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';

const verbs: Readonly<Record<DecisionAction, string>> = {
  left: 'closed the reports on',
  removed: 'removed',
  trashed: 'deleted',
  disabled: 'disabled',
  reopened: 'reopened the reports on',
  restored: 'restored',
  returned: 'restored',
  enabled: 'enabled',
  changed: 'changed',
  redacted: 'redacted a version of',
  renamed: 'renamed',
};

export function Decision({ entry }: { entry: DecisionLogEntry }) {
  const { viewer } = useLayout();
  const { action, reason, moderator_name, created, undone_by } = entry;
  return (
    <>
      <div>
        <bdi>{moderator_name ?? 'The operator'}</bdi> <b>{verbs[action]}</b> <DecisionSubject entry={entry} />
        {reason && (
          <p class="report-text" dir="auto">
            {reason}
          </p>
        )}
        <p class="byline">
          <DateTimeText instant={created} />
          {undone_by !== null && ' · undone'}
        </p>
      </div>
      {canBeUndone(entry) && can(viewer, 'decide', entry.contributor) && (
        <ButtonForm action={`/moderation/log/${entry.id}/undo/`} variant="quiet">
          Undo<span class="visually-hidden">: {entry.title ?? entry.contributor_name}</span>
        </ButtonForm>
      )}
    </>
  );
}

function DecisionSubject({
  entry: { action, project, title, uuid, slug, contributor, contributor_name },
}: {
  entry: DecisionLogEntry;
}) {
  const contributorLink = (
    <a href={contributorPath(contributor, contributor_name)}>
      <bdi>{contributor_name}</bdi>
    </a>
  );
  if (project === null)
    return (
      <>
        the {action === 'disabled' || action === 'enabled' ? 'account' : 'name'} of {contributorLink}
      </>
    );
  return (
    <>
      {title && uuid && slug ? (
        <a href={projectPath({ uuid, slug })}>
          <bdi>{title}</bdi>
        </a>
      ) : (
        <bdi>{title || 'a deleted project'}</bdi>
      )}{' '}
      by {contributorLink}
    </>
  );
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
