// An entry of the log, with the way to take it back; what was done just now stands above the queue, too.

import { contributorPath, projectPath } from '../../gallery/addresses.ts';
import { parseId } from '../../gallery/ids.ts';
import type { Action } from '../../gallery/moderation/decision.ts';
import { canBeUndone, type Entry, findDecision } from '../../gallery/moderation/log.ts';
import { can } from '../../gallery/permissions.ts';
import { ButtonForm } from '../form.tsx';
import type { Frame } from '../frame.ts';
import type { PageParts, Served } from '../serve.ts';
import { Moment } from '../times.tsx';

const verbs: Readonly<Record<Action, string>> = {
  left: 'left',
  removed: 'removed',
  trashed: 'took away',
  disabled: 'disabled',
  reopened: 'opened the reports again of',
  restored: 'restored',
  returned: 'brought back',
  enabled: 'enabled',
};

interface DeedProps {
  readonly entry: Entry;
  readonly zone: string;
  readonly frame: Frame;
}

export function Deed({ entry, zone, frame: { viewer, token } }: DeedProps) {
  const { action, reason, moderator_name, created, undone_by } = entry;
  return (
    <>
      <div>
        <bdi>{moderator_name ?? 'The operator'}</bdi> <b>{verbs[action]}</b> <What entry={entry} />
        {reason && (
          <p class="words" dir="auto">
            {reason}
          </p>
        )}
        <p class="by">
          <Moment at={created} zone={zone} />
          {undone_by !== null && ' · taken back'}
        </p>
      </div>
      {canBeUndone(entry) && can(viewer, 'decide', entry.contributor) && (
        <ButtonForm action={`/moderation/log/${entry.id}/undo/`} token={token} kind="quiet">
          Take it back<span class="unseen">: {entry.title ?? entry.contributor_name}</span>
        </ButtonForm>
      )}
    </>
  );
}

function What({ entry: { project, title, uuid, slug, contributor, contributor_name } }: { entry: Entry }) {
  const person = (
    <a href={contributorPath(contributor, contributor_name)}>
      <bdi>{contributor_name}</bdi>
    </a>
  );
  if (project === null) return <>the account of {person}</>;
  return (
    <>
      {title && uuid && slug ? (
        <a href={projectPath({ uuid, slug })}>
          <bdi>{title}</bdi>
        </a>
      ) : (
        <bdi>{title || 'something that is gone'}</bdi>
      )}{' '}
      of {person}
    </>
  );
}

/** What the address says was done. */
export async function done({ database, timeZone }: PageParts, { address, frame }: Served) {
  const id = parseId(address.query.get('done') ?? '');
  if (id === undefined) return null;
  const entry = await findDecision(database, id);
  return (
    <div class="notice row" role="status">
      <Deed entry={entry} zone={timeZone} frame={frame} />
    </div>
  );
}
