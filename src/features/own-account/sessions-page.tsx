// The part of /account/ that lists where the viewer is signed in, and its forms.

import { endOtherSessions, endSession, type Session, sessionHashOf } from '../../core/accounts/sessions.ts';
import { Byline, DateText } from '../../core/pages/layout/components.tsx';
import { ButtonForm, visuallyHidden } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, seeOther } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';

const path = '/account/sessions/';

export function SessionList({ sessions }: { sessions: readonly Session[] }) {
  const { t } = useLanguage();
  return (
    <>
      <h2>{t('sessions.title')}</h2>
      <ul class="rows">
        {sessions.map((session) => (
          <SessionRow session={session} />
        ))}
      </ul>
      {sessions.length > 1 && (
        <ButtonForm action={`${path}end-others/`} variant="quiet">
          {t('sessions.endOthers')}
        </ButtonForm>
      )}
    </>
  );
}

function SessionRow({ session }: { session: Session }) {
  const language = useLanguage();
  const { rich } = language;
  const browser = formatBrowser(language, session.browser);
  return (
    <li>
      <div>
        {session.isCurrent ? rich('sessions.current', { browser: <b>{browser}</b> }) : <b>{browser}</b>}
        <Byline
          parts={[
            rich('sessions.since', { date: <DateText instant={session.created} /> }),
            rich('sessions.lastUsed', { date: <DateText instant={session.last_used} /> }),
          ]}
        />
      </div>
      {!session.isCurrent && (
        <ButtonForm action={`${path}${session.id}/end/`} variant="quiet">
          {rich('sessions.end', { browser, hidden: visuallyHidden })}
        </ButtonForm>
      )}
    </li>
  );
}

/** The stored description is English, such as `Firefox on Linux`. */
function formatBrowser({ t }: Translator, description: string): string {
  const [browser = '', system] = description.split(' on ');
  return system ? t('sessions.browserOn', { browser, system }) : browser || t('sessions.unknownBrowser');
}

export const sessionRoutes = [
  form(`${path}end-others/`, 'changeAccount', async ({ database, viewer }) => {
    await endOtherSessions(database, requireSignedIn(viewer), sessionHashOf(viewer));
    return seeOther('/account/');
  }),
  form(`${path}:id/end/`, 'changeAccount', async ({ database, viewer, params }) => {
    await endSession(database, requireSignedIn(viewer), params.id ?? '');
    return seeOther('/account/');
  }),
];
