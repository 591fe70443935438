// When a class is due next, on the page that its people open every day: what a member has handed in, or who has nothing yet.

import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { displayName } from '../../core/contributors/contributor.ts';
import { formatInstant, type Instant, now } from '../../core/instant.ts';
import { DateTimeText, NameLink } from '../../core/pages/layout/components.tsx';
import { useLanguage, useLayout } from '../../core/pages/layout/layout-data.ts';
import type { Sections } from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { type HandIn, loadNextHandIns } from './hand-in.ts';

const dayMs = 24 * 3600_000;

/** Such as "Due in 2 days: Friday, 4 December 2026, 14:00". */
function NextDue({ due }: { due: Instant }) {
  const { timeZone } = useLayout();
  const { locale, rich } = useLanguage();
  const dayOf = (instant: Instant) => Date.parse(formatInstant(instant, timeZone).slice(0, 10));
  const days = (dayOf(due) - dayOf(now())) / dayMs;
  return rich('handIns.next', {
    ahead: new Intl.RelativeTimeFormat(locale, { numeric: 'auto' }).format(days, 'day'),
    day: new Intl.DateTimeFormat(locale, { weekday: 'long', timeZone: 'UTC' }).format(dayOf(due)),
    date: <DateTimeText instant={due} />,
  });
}

function Names({ children }: { children: readonly Child[] }) {
  const { comma } = useLanguage();
  return children.map((child, index) => [index > 0 && comma, child]);
}

function OwnState({ handIns }: { handIns: readonly HandIn[] }) {
  const { t, rich } = useLanguage();
  const works = handIns.flatMap(({ work }) => work ?? []);
  if (works.length === 0) return t('handIns.notYours');
  const links = works.map(({ address, content }) => {
    const title = content?.title ?? t('handIns.redacted');
    return address ? <NameLink href={projectPath(address)} name={title} /> : <bdi>{title}</bdi>;
  });
  return rich('handIns.yours', { works: <Names>{links}</Names> });
}

function StateOfAll({ handIns }: { handIns: readonly HandIn[] }) {
  const { t, rich } = useLanguage();
  const missing = handIns.filter(({ work }) => !work);
  const done = new Set(handIns.flatMap(({ person, work }) => (work ? person.id : [])));
  const people = new Map(
    missing.flatMap(({ person }) => (done.has(person.id) ? [] : [[person.id, person] as const])),
  );
  if (people.size === 0) return t('handIns.allHere');
  const names = [...people.values()].map((person) => <bdi>{displayName(person)}</bdi>);
  return rich('handIns.missing', { count: people.size, names: <Names>{names}</Names> });
}

export const sections: Sections = {
  'class.home': async ({ database, viewer }, { collection, isTeacher }) => {
    const { due } = collection;
    if (due === null) return undefined;
    const member = isTeacher ? undefined : requireSignedIn(viewer);
    const handIns = await loadNextHandIns(database, viewer, collection, member);
    if (!handIns) return undefined;
    return (
      <p class="notice">
        <b>
          {isTeacher ? (
            <a href={`${projectPath(collection)}hand-ins/`}>
              <NextDue due={due} />
            </a>
          ) : (
            <NextDue due={due} />
          )}
        </b>
        {handIns.length > 0 && (
          <>
            <br />
            {isTeacher ? <StateOfAll handIns={handIns} /> : <OwnState handIns={handIns} />}
          </>
        )}
      </p>
    );
  },
};
