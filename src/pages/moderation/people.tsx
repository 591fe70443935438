// /moderation/people/: somebody's account by their name, to disable or enable it; and invitations.

import { NotFound } from '../../errors.ts';
import { readFields, textField } from '../../fields.ts';
import { type Person, personNamed, personOf } from '../../gallery/accounts/account.ts';
import { makeInvitation } from '../../gallery/accounts/invitations.ts';
import { contributorPath } from '../../gallery/addresses.ts';
import { displayName } from '../../gallery/contributors/contributor.ts';
import { idFrom } from '../../gallery/ids.ts';
import { accountFields, mayDisable, setState } from '../../gallery/moderation/accounts.ts';
import { whyFields } from '../../gallery/moderation/decision.ts';
import { decisions } from '../../gallery/moderation/log.ts';
import { type Counts, countsOf } from '../../gallery/moderation/people.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { ButtonForm, Members, Token, Wrong } from '../form.tsx';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';
import { Day } from '../times.tsx';
import { transactOnce } from '../transact.ts';
import { Deed } from './deed.tsx';
import { room } from './room.tsx';

const path = '/moderation/people/';
const decisionsShown = 20;

const fields = { username: textField({ label: 'Username', most: 150, required: true }) };

export function people(parts: PageParts, served: Served) {
  return peopleWith(parts, served, undefined);
}

export async function makeInvite(parts: PageParts, served: Served) {
  authorizeAny(served.viewer, 'invite');
  if (parts.accounts.signUp !== 'invitation') throw new NotFound();
  const { secret } = await makeInvitation(parts.database, served.viewer.contributor);
  return peopleWith(parts, served, secret);
}

async function peopleWith(parts: PageParts, served: Served, invitation: string | undefined) {
  const { database, timeZone: zone, accounts } = parts;
  const { frame, address, base, refused } = served;
  authorizeAny(served.viewer, 'seeReports');
  const username = (address.query.get('username') ?? '').trim();
  const person = username ? await personNamed(database, username) : undefined;
  const missing =
    username && !person
      ? { typed: { username }, wrong: { username: ['Nobody is called that.'] } }
      : undefined;
  return room(served, {
    path,
    children: (
      <>
        <Wrong refused={refused ?? missing} fields={fields} />
        <form class="asking beside-each-other" action={path}>
          <Members fields={fields} values={{ username }} refused={missing} />
          <button class="quiet" type="submit">
            Look up
          </button>
        </form>
        {person && (
          <Known
            person={person}
            counts={await countsOf(database, person.id)}
            past={await decisions(database, { contributor: person.id }).page(0, decisionsShown)}
            served={served}
            zone={zone}
          />
        )}
        {accounts.signUp === 'invitation' && (
          <section class="narrow" aria-labelledby="invitation">
            <h2 id="invitation">Invite somebody</h2>
            <ButtonForm action={`${path}invitation/`} token={frame.token} kind="quiet">
              Make an invitation
            </ButtonForm>
            {invitation && (
              <div class="notice" role="status">
                <p>
                  Who opens this address can sign up. It is shown this once, for one person, and for 14 days.
                </p>
                <pre class="secret">{`${base}/sign-up/?${new URLSearchParams({ invitation })}`}</pre>
              </div>
            )}
          </section>
        )}
      </>
    ),
  });
}

interface KnownProps {
  readonly person: Person;
  readonly counts: Counts;
  /** The last decisions on what is theirs. */
  readonly past: Awaited<ReturnType<ReturnType<typeof decisions>['page']>>;
  readonly served: Served;
  readonly zone: string;
}

function Known({ person, counts, past, served: { frame, viewer }, zone }: KnownProps) {
  return (
    <section class="narrow" aria-labelledby="person">
      <h2 id="person">
        <a href={contributorPath(person.id, person.username)}>
          <bdi>{displayName(person)}</bdi>
        </a>
      </h2>
      <dl class="facts">
        <Fact name="Username">
          <bdi>{person.username}</bdi>
        </Fact>
        <Fact name="Here since">
          <Day at={person.created} zone={zone} />
        </Fact>
        <Fact name="Role">{person.role ?? 'no account'}</Fact>
        {person.role !== null && (
          <Fact name="State">
            {person.disabled === null ? (
              'may sign in'
            ) : (
              <>
                disabled on <Day at={person.disabled} zone={zone} />
              </>
            )}
          </Fact>
        )}
        <Fact name="Projects">{counts.projects}</Fact>
        <Fact name="Comments">{counts.comments}</Fact>
        <Fact name="Removed">{counts.removed}</Fact>
        <Fact name="Reports made">{counts.reports}</Fact>
      </dl>
      {mayDisable(viewer, person) && (
        <form class="deciding" method="post" action={path}>
          <Token token={frame.token} />
          <input type="hidden" name="contributor" value={String(person.id)} />
          <Members fields={whyFields} prefix="d" />
          {person.disabled === null ? (
            <button class="danger" type="submit" name="state" value="disabled">
              Disable the account
            </button>
          ) : (
            <button type="submit" name="state" value="open">
              Enable the account
            </button>
          )}
        </form>
      )}
      {past.length > 0 && (
        <>
          <h3>What was decided</h3>
          <ol class="rows">
            {past.map((entry) => (
              <li>
                <Deed entry={entry} zone={zone} frame={frame} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function Fact({ name, children }: { name: string; children: unknown }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export async function takeAccount(parts: PageParts, served: Served) {
  authorizeAny(served.viewer, 'disableAccount');
  const { data } = await served.context.body();
  const person = await personOf(parts.database, idFrom(data.contributor));
  if (!person) throw new NotFound();
  const { state, reason } = readFields(accountFields, data);
  await transactOnce(parts, served, (act) => setState({ ...act, reason }, person.id, state));
  return seeOther(`${path}?${new URLSearchParams({ username: person.username })}`);
}
