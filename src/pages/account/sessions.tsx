// The part of /account/ that lists where the viewer is signed in, and its forms.

import {
  endOtherSessions,
  endSession,
  type Session,
  sessionHashOf,
} from '../../gallery/accounts/sessions.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { DateText } from '../dates.tsx';
import { ButtonForm } from '../form.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';

const path = '/account/sessions/';

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  return (
    <>
      <h2>Where you’re signed in</h2>
      <ul class="rows">
        {sessions.map((session) => (
          <li>
            <div>
              <b>{session.browser || 'Unknown browser'}</b>
              {session.isCurrent && ' (this browser)'}
              <p class="byline">
                since <DateText instant={session.created} /> · last used{' '}
                <DateText instant={session.last_used} />
              </p>
            </div>
            {!session.isCurrent && (
              <ButtonForm action={`${path}${session.id}/end/`} variant="quiet">
                Sign out<span class="visually-hidden"> of {session.browser || 'unknown browser'}</span>
              </ButtonForm>
            )}
          </li>
        ))}
      </ul>
      {sessions.length > 1 && (
        <ButtonForm action={`${path}end-others/`} variant="quiet">
          Sign out everywhere else
        </ButtonForm>
      )}
    </>
  );
}

export async function submitSessionEnd({ database }: PageDependencies, { viewer, params }: PageContext) {
  authorizeAny(viewer, 'changeAccount');
  await endSession(database, requireSignedIn(viewer), params.id ?? '');
  return seeOther('/account/');
}

export async function submitOtherSessionsEnd({ database }: PageDependencies, { viewer }: PageContext) {
  authorizeAny(viewer, 'changeAccount');
  await endOtherSessions(database, requireSignedIn(viewer), sessionHashOf(viewer));
  return seeOther('/account/');
}
