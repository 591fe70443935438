// /moderation/people/: looking up an account, disabling or enabling it, and making invitations.

import { NotFound } from '../../errors.ts';
import { readFields, textField } from '../../fields.ts';
import { type AccountDetails, findAccount, findAccountByUsername } from '../../gallery/accounts/account.ts';
import { createInvitation } from '../../gallery/accounts/invitations.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { fullName } from '../../gallery/contributors/contributor.ts';
import { requireId } from '../../gallery/ids.ts';
import { accountFields, canDisable, setAccountState } from '../../gallery/moderation/accounts.ts';
import { type ContributorCounts, countContributions } from '../../gallery/moderation/contributor-counts.ts';
import { optionalReasonFields } from '../../gallery/moderation/decision.ts';
import { listDecisions } from '../../gallery/moderation/log.ts';
import { listOpenNameReports } from '../../gallery/moderation/name-report.ts';
import { canRename } from '../../gallery/moderation/rename.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { DateText } from '../dates.tsx';
import { ButtonForm, CsrfField, ErrorSummary, FormFields } from '../form.tsx';
import { useLayout } from '../layout-data.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { Decision } from './decision.tsx';
import { renderModerationPage } from './moderation-page.tsx';
import { RenameForm, ReportedNames } from './names.tsx';

const path = '/moderation/people/';
const maxDecisions = 20;
const maxNameReports = 20;

const fields = { username: textField({ label: 'Username', maxLength: 150, required: true }) };

export function showPeoplePage(deps: PageDependencies, context: PageContext) {
  return renderPeoplePage(deps, context, undefined);
}

export async function submitInvitation(deps: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'invite');
  if (deps.accounts.signUp !== 'invitation') throw new NotFound();
  const { secret } = await createInvitation(deps.database, context.viewer.contributor);
  return renderPeoplePage(deps, context, secret);
}

async function renderPeoplePage(
  deps: PageDependencies,
  context: PageContext,
  invitation: string | undefined,
) {
  const { database, accounts } = deps;
  const { url, origin, formErrors } = context;
  authorizeAny(context.viewer, 'seeReports');
  const username = (url.query.get('username') ?? '').trim();
  const account = username ? await findAccountByUsername(database, username) : undefined;
  const nameReports = listOpenNameReports(database, context.viewer);
  const lookupErrors =
    username && !account
      ? { values: { username }, errors: { username: ['Nobody has that username.'] } }
      : undefined;
  return renderModerationPage(context, {
    path,
    children: (
      <>
        <ErrorSummary formErrors={formErrors ?? lookupErrors} fields={fields} />
        <form class="stacked-form inline-form" action={path}>
          <FormFields fields={fields} values={{ username }} formErrors={lookupErrors} />
          <button class="quiet" type="submit">
            Look up
          </button>
        </form>
        {!account && (
          <ReportedNames
            reports={await nameReports.page(0, maxNameReports)}
            count={await nameReports.count()}
          />
        )}
        {account && (
          <Account
            account={account}
            counts={await countContributions(database, account.id)}
            latestDecisions={await listDecisions(database, { contributor: account.id }).page(0, maxDecisions)}
          />
        )}
        {accounts.signUp === 'invitation' && (
          <section class="narrow" aria-labelledby="invitation">
            <h2 id="invitation">Invite someone</h2>
            <ButtonForm action={`${path}invitation/`} variant="quiet">
              Create invitation
            </ButtonForm>
            {invitation && (
              <div class="notice" role="status">
                <p>
                  Anyone with this link can sign up. It works once, within 14 days, and is shown only once.
                </p>
                <pre class="secret">{`${origin}/sign-up/?${new URLSearchParams({ invitation })}`}</pre>
              </div>
            )}
          </section>
        )}
      </>
    ),
  });
}

interface AccountProps {
  readonly account: AccountDetails;
  readonly counts: ContributorCounts;
  /** The latest decisions on the account and its projects. */
  readonly latestDecisions: Awaited<ReturnType<ReturnType<typeof listDecisions>['page']>>;
}

function Account({ account, counts, latestDecisions }: AccountProps) {
  const { viewer } = useLayout();
  return (
    <section class="narrow" aria-labelledby="person">
      <h2 id="person">
        <a href={contributorPath(account.id, account.username)}>
          <bdi>{fullName(account)}</bdi>
        </a>
      </h2>
      <AccountFacts account={account} counts={counts} />
      {canDisable(viewer, account) && <AccountStateForm account={account} />}
      {canRename(viewer, account) && <RenameForm account={account} />}
      {latestDecisions.length > 0 && (
        <>
          <h3>Decisions</h3>
          <ol class="rows">
            {latestDecisions.map((entry) => (
              <li>
                <Decision entry={entry} />
              </li>
            ))}
          </ol>
        </>
      )}
    </section>
  );
}

function AccountFacts({ account, counts }: Omit<AccountProps, 'latestDecisions'>) {
  return (
    <dl class="facts">
      <Fact name="Username">
        <bdi>{account.username}</bdi>
      </Fact>
      <Fact name="Joined">
        <DateText instant={account.created} />
      </Fact>
      <Fact name="Role">{account.role ?? 'no account'}</Fact>
      {account.role !== null && (
        <Fact name="State">
          {account.disabled === null ? (
            'active'
          ) : (
            <>
              disabled since <DateText instant={account.disabled} />
            </>
          )}
        </Fact>
      )}
      <Fact name="Projects">{counts.projects}</Fact>
      <Fact name="Comments">{counts.comments}</Fact>
      <Fact name="Removed">{counts.removed}</Fact>
      <Fact name="Reports made">{counts.reports}</Fact>
    </dl>
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

function AccountStateForm({ account }: Pick<AccountProps, 'account'>) {
  return (
    <form class="decision-form" method="post" action={path}>
      <CsrfField />
      <input type="hidden" name="contributor" value={String(account.id)} />
      <FormFields fields={optionalReasonFields} prefix="d" />
      {account.disabled === null ? (
        <button class="danger" type="submit" name="state" value="disabled">
          Disable the account
        </button>
      ) : (
        <button type="submit" name="state" value="open">
          Enable the account
        </button>
      )}
    </form>
  );
}

export async function submitAccountState(deps: PageDependencies, context: PageContext) {
  authorizeAny(context.viewer, 'disableAccount');
  const { data } = await context.request.readBody();
  const account = await findAccount(deps.database, requireId(data.contributor));
  if (!account) throw new NotFound();
  const { state, reason } = readFields(accountFields, data);
  await transactOnce(deps.database, context, (write) =>
    setAccountState({ ...write, reason }, account.id, state),
  );
  return seeOther(`${path}?${new URLSearchParams({ username: account.username })}`);
}
