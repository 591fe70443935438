// /moderation/: what readers reported and nobody has decided on, each thing once, with all that is needed to decide.

import { type Person, peopleOf } from '../../gallery/accounts/account.ts';
import { projectPath } from '../../gallery/addresses.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { mayDisable } from '../../gallery/moderation/accounts.ts';
import { removalFields } from '../../gallery/moderation/decision.ts';
import { timesDecidedAgainst } from '../../gallery/moderation/log.ts';
import { reasonNames } from '../../gallery/moderation/report.ts';
import { type Case, Queue, type Told } from '../../gallery/moderation/reports.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import type { LookedAfter } from '../../gallery/projects/find.ts';
import { statusNames } from '../../gallery/projects/project.ts';
import { Pager } from '../../rest/renderers/pager.tsx';
import { moderationScript } from '../assets.ts';
import { Members, Token, Wrong } from '../form.tsx';
import { numberedOf, pageAddress } from '../listing.ts';
import { excerpt } from '../markdown.ts';
import { Maker } from '../named.tsx';
import type { PageParts, Refused, Served } from '../serve.ts';
import { Day } from '../times.tsx';
import { done } from './deed.tsx';
import { room } from './room.tsx';

const size = 10;

export async function queue(parts: PageParts, served: Served) {
  const { database, projects } = parts;
  const { address, refused } = served;
  authorizeAny(served.viewer, 'seeReports');
  const shown = await numberedOf(new Queue(database, served.viewer), address.query, size);
  const things = await projects.lookedAfter(shown.items.map(({ project }) => project));
  const authors = [...things.values()].map(({ contributor }) => contributor);
  const [people, against] = await Promise.all([
    peopleOf(database, authors),
    timesDecidedAgainst(database, authors),
  ]);
  const ids = shown.items.map(({ project }) => project);
  const at = pageAddress('/moderation/', new URLSearchParams());
  return room(served, {
    path: '/moderation/',
    scripts: [moderationScript],
    children: (
      <>
        {await done(parts, served)}
        {refused && !ids.includes(Number(refused.typed.project)) && <Wrong refused={refused} />}
        {shown.count === 0 ? (
          <div class="empty">
            <p>Nothing is reported that nobody has decided on.</p>
            <p>
              <a href="/moderation/log/">What was decided</a>
            </p>
          </div>
        ) : (
          <ol class="queue" aria-label="What was reported">
            {shown.items.map((one, index) => {
              const thing = things.get(one.project);
              return (
                thing && (
                  <Reported
                    one={one}
                    thing={thing}
                    author={people.get(thing.contributor)}
                    against={against.get(thing.contributor) ?? 0}
                    next={ids[index + 1]}
                    first={index === 0}
                    served={served}
                    action={at(shown.number)}
                    zone={parts.timeZone}
                  />
                )
              );
            })}
          </ol>
        )}
        <Pager {...shown} address={at} />
      </>
    ),
  });
}

interface ReportedProps {
  readonly one: Case;
  readonly thing: LookedAfter;
  readonly author: Person | undefined;
  readonly against: number;
  /** What stands below it. */
  readonly next: number | undefined;
  readonly first: boolean;
  readonly served: Served;
  /** Where the page that shows it is. */
  readonly action: string;
  readonly zone: string;
}

function Reported({ one, thing, author, against, next, first, served, action, zone }: ReportedProps) {
  const { frame, viewer, refused } = served;
  const words = excerpt(thing.text, thing.title, 400);
  const times = one.count === 1 ? 'once' : `${one.count} times`;
  const own = refused && Number(refused.typed.project) === thing.id ? refused : undefined;
  return (
    <li>
      <article
        class="card reported"
        id={`thing-${thing.id}`}
        tabindex={-1}
        aria-labelledby={`title-${thing.id}`}
        autofocus={first && !refused ? true : undefined}
      >
        <p class="kind">
          {thing.content_type} · reported {times}
          {thing.status !== 1 && <> · {statusNames[thing.status]}</>}
        </p>
        <h2 id={`title-${thing.id}`} dir="auto">
          {thing.trashed === null ? <a href={projectPath(thing)}>{thing.title}</a> : thing.title}
        </h2>
        <p class="by">
          by <Maker of={thing} />
          {' · '}
          <Day at={thing.created} zone={zone} />
          {' · '}
          {against === 0 ? 'never decided against' : `decided against ${against} before`}
          {author?.disabled && ' · the account is disabled'}
        </p>
        {words && (
          <p class="excerpt" dir="auto">
            {words}
          </p>
        )}
        <ul class="reasons">
          {one.reports.map((report) => (
            <Reason report={report} zone={zone} />
          ))}
        </ul>
        {one.count > one.reports.length && <p class="faint">And {one.count - one.reports.length} more.</p>}
        <Deciding one={one} thing={thing} next={next} action={action} token={frame.token} refused={own} />
        {author && author.disabled === null && mayDisable(viewer, author) && (
          <p class="ways">
            <a href={`/moderation/people/?${new URLSearchParams({ username: author.username })}`}>
              Look at the account of <bdi>{author.username}</bdi>, to disable it
            </a>
          </p>
        )}
      </article>
    </li>
  );
}

function Reason({ report, zone }: { report: Told; zone: string }) {
  return (
    <li>
      <b>{reasonNames[report.reason]}</b>
      {report.words && (
        <>
          : <span class="words">{report.words}</span>
        </>
      )}{' '}
      <span class="by">
        – <bdi>{displayName(report)}</bdi>, <Day at={report.modified} zone={zone} />
      </span>
    </li>
  );
}

interface DecidingProps {
  readonly one: Case;
  readonly thing: LookedAfter;
  readonly next: number | undefined;
  readonly action: string;
  readonly token: string | undefined;
  readonly refused: Refused | undefined;
}

/** The first button is what Enter in no field presses, and does no harm. */
function Deciding({ one, thing, next, action, token, refused }: DecidingProps) {
  const prefix = `d${thing.id}`;
  return (
    <form class="deciding" method="post" action={action}>
      <Wrong refused={refused} fields={removalFields} prefix={prefix} />
      <Token token={token} />
      <input type="hidden" name="project" value={String(thing.id)} />
      <input type="hidden" name="seen" value={String(one.last)} />
      {next !== undefined && <input type="hidden" name="next" value={String(next)} />}
      <button class="quiet" type="submit" name="decision" value="leave">
        Leave it<span class="unseen"> {thing.title}</span>
      </button>
      {thing.trashed === null && thing.status !== 3 && (
        <>
          <Members
            fields={{ reason: { ...removalFields.reason, required: false } }}
            refused={refused}
            prefix={prefix}
          />
          <button class="danger" type="submit" name="decision" value="remove">
            Remove it<span class="unseen"> {thing.title}</span>
          </button>
        </>
      )}
      {thing.trashed !== null && (
        <p class="faint">Whoever made it has taken it away: it lies in the trash.</p>
      )}
    </form>
  );
}
