// A decision in the log, with the button to undo it. The queue shows the latest decision, too.

import { parseId } from '../../gallery/ids.ts';
import { canBeUndone, type DecisionLogEntry, findDecision } from '../../gallery/moderation/log.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { can } from '../../gallery/permissions.ts';
import { DateTimeText } from '../layout/dates.tsx';
import { ButtonForm, visuallyHidden } from '../layout/form.tsx';
import { useLanguage, useLayout } from '../layout/layout-data.ts';
import { ProjectLink } from '../layout/links.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';

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
