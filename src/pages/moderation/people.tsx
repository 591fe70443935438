// /moderation/people/: the list of accounts, reported names, and invitations; with `username`, a single account.

import { textField } from '../../common/fields.ts';
import { findAccountByUsername } from '../../gallery/accounts/account.ts';
import { accountOrders, type FoundAccount, searchAccounts } from '../../gallery/accounts/list.ts';
import { fullName } from '../../gallery/contributors/contributor.ts';
import { listOpenNameReports } from '../../gallery/moderation/name-report.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { createPageUrl } from '../../rest/pagination.ts';
import { urlWithParameters } from '../../rest/request-url.ts';
import { type ListPage, loadListPage } from '../home/listing.ts';
import { DateText } from '../layout/dates.tsx';
import { ErrorSummary, FormFields } from '../layout/form.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { Pager } from '../layout/pager.tsx';
import type { Translator } from '../messages/translator.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { Account, loadAccountData } from './account.tsx';
import { getInvitationFields, InvitationForm } from './invitations.tsx';
import { renderModerationPage } from './moderation-page.tsx';
import { ReportedNames } from './names.tsx';

const path = '/moderation/people/';
const maxNameReports = 20;
const pageSize = 50;
const maxSearchLength = 200;

const getSearchFields = ({ t }: Translator) => ({
  search: textField({ label: t('people.search'), maxLength: maxSearchLength, allowsBlank: true }),
});

export async function showPeoplePage(deps: PageDependencies, context: PageContext) {
  const { query } = context.url;
  authorizeAny(context.viewer, 'seeReports');
  const username = (query.get('username') ?? '').trim();
  const account = username ? await findAccountByUsername(deps.database, username) : undefined;
  if (!account) return renderPeoplePage(deps, context, username);
  return renderModerationPage(context, {
    path,
    children: (
      <>
        <ErrorSummary formErrors={context.formErrors} />
        <p>
          <a href={path}>{context.layout.language.t('people.back')}</a>
        </p>
        <Account {...(await loadAccountData(deps, context.viewer, account))} />
      </>
    ),
  });
}

/** `missing` is a username that nobody has. */
async function renderPeoplePage(deps: PageDependencies, context: PageContext, missing: string) {
  const { database, accounts } = deps;
  const { url, viewer, formErrors, layout } = context;
  const { language } = layout;
  const search = (url.query.get('search') ?? '').trim().slice(0, maxSearchLength);
  const order = accountOrders.find((name) => name === url.query.get('ordering')) ?? accountOrders[0];
  const nameReports = listOpenNameReports(database, viewer);
  const people = await loadListPage(searchAccounts(database, search, order), url.query, pageSize);
  return renderModerationPage(context, {
    path,
    children: (
      <>
        <ErrorSummary formErrors={formErrors} fields={getInvitationFields(language)} />
        <form class="stacked-form inline-form" action={path}>
          <FormFields fields={getSearchFields(language)} values={{ search: search || missing }} />
          <button class="quiet" type="submit">
            {language.t('people.lookUp')}
          </button>
        </form>
        {missing && <p class="empty">{language.t('moderation.nobody')}</p>}
        {!search && (
          <>
            <ReportedNames
              reports={await nameReports.page(0, maxNameReports)}
              count={await nameReports.count()}
            />
            {accounts.signUp === 'invitation' && <InvitationForm formErrors={formErrors} />}
          </>
        )}
        <AccountList people={people} search={search} order={order} />
      </>
    ),
  });
}

interface AccountListProps {
  readonly people: ListPage<FoundAccount>;
  readonly search: string;
  readonly order: (typeof accountOrders)[number];
}

function AccountList({ people, search, order }: AccountListProps) {
  const { t } = useLanguage();
  const searchQuery = new URLSearchParams(search && { search });
  const query = new URLSearchParams(searchQuery);
  if (order !== accountOrders[0]) query.set('ordering', order);
  return (
    <section class="narrow" aria-labelledby="accounts">
      <h2 id="accounts">{t('people.accounts', { count: people.count })}</h2>
      <nav class="list-filters" aria-label={t('people.order')}>
        <ul class="types">
          {accountOrders.map((name, index) => (
            <li>
              <a
                href={urlWithParameters(path, searchQuery, { ordering: index === 0 ? '' : name })}
                aria-current={name === order ? 'true' : undefined}
              >
                {t(`people.order.${name}`)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <ul class="rows">
        {people.items.map((account) => (
          <AccountRow account={account} />
        ))}
      </ul>
      <Pager {...people} urlOf={createPageUrl(path, query)} />
    </section>
  );
}

function AccountRow({ account }: { account: FoundAccount }) {
  const { t, rich } = useLanguage();
  const { username, role, disabled, created, last_used } = account;
  const name = fullName(account);
  return (
    <li>
      <div>
        <a href={`${path}?${new URLSearchParams({ username })}`}>
          <bdi>{name}</bdi>
        </a>
        {name !== username && (
          <>
            {' '}
            <span class="byline">
              (<bdi>{username}</bdi>)
            </span>
          </>
        )}
        {role !== 'contributor' && (
          <>
            {' '}
            <span class="role">{t(`role.${role}`)}</span>
          </>
        )}
        <p class="byline">
          {disabled !== null && `${t('people.disabled')} · `}
          {rich('people.joinedOn', { date: <DateText instant={created} /> })}
          {last_used !== null && (
            <> · {rich('people.lastSeen', { date: <DateText instant={last_used} /> })}</>
          )}
        </p>
      </div>
    </li>
  );
}
