// /moderation/people/: the list of accounts and reported names; with `username`, a single account.

import { NotFound } from '#common/errors.ts';
import { textField } from '#rest/fields.ts';
import { createPageUrl } from '#rest/pagination.ts';
import { urlWithParameters } from '#rest/request-url.ts';
import { findAccountByUsername } from '../../core/accounts/account.ts';
import { accountOrders, type FoundAccount, searchAccounts } from '../../core/accounts/list.ts';
import { displayName, fullName } from '../../core/contributors/contributor.ts';
import {
  accountPath,
  Byline,
  DateText,
  LinkItem,
  LinkLine,
  LinkTabs,
  NameLink,
  Pager,
  ReportText,
} from '../../core/pages/layout/components.tsx';
import { ErrorSummary, Form, FormFields, NamedAction, QuietButton } from '../../core/pages/layout/form.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { ModerationPage } from '../../core/pages/moderation-page.tsx';
import { type PageContext, page } from '../../core/pages/page.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { type ListPage, loadListPage } from '../../projects/pages/list/list-query.ts';
import { Account, loadAccountData } from './account-page.tsx';
import { isContributionKind } from './contributions.ts';
import { renderContributions } from './contributions-page.tsx';
import { listOpenNameReports, type NameReportDetails } from './name-report.ts';

const path = '/moderation/people/';
const maxNameReports = 20;
const pageSize = 50;
const maxSearchLength = 200;

const getSearchFields = ({ t }: Translator) => ({
  search: textField({ label: t('people.search'), maxLength: maxSearchLength, allowsBlank: true }),
});

async function showPeoplePage(context: PageContext) {
  const { query } = context.url;
  const username = (query.get('username') ?? '').trim();
  const account = username ? await findAccountByUsername(context.database, username) : undefined;
  if (!account) return renderPeoplePage(context, username);
  const show = query.get('show') ?? '';
  if (show && !isContributionKind(show)) throw new NotFound();
  return context.render(
    <ModerationPage path={path}>
      <ErrorSummary formErrors={context.formErrors} />
      <LinkLine href={path}>{context.t('people.back')}</LinkLine>
      {isContributionKind(show) ? (
        await renderContributions(context, account, show)
      ) : (
        <Account {...(await loadAccountData(context, context.viewer, account))} />
      )}
    </ModerationPage>,
  );
}

/** `missing` is a username that nobody has. */
async function renderPeoplePage(context: PageContext, missing: string) {
  const { database, url, viewer, formErrors, layout } = context;
  const { language } = layout;
  const search = (url.query.get('search') ?? '').trim().slice(0, maxSearchLength);
  const order = accountOrders.find((name) => name === url.query.get('ordering')) ?? accountOrders[0];
  const nameReports = listOpenNameReports(database, viewer);
  const people = await loadListPage(searchAccounts(database, search, order), url.query, pageSize);
  return context.render(
    <ModerationPage path={path}>
      <ErrorSummary formErrors={formErrors} />
      <form class="stacked-form inline-form" action={path}>
        <FormFields fields={getSearchFields(language)} values={{ search: search || missing }} />
        <QuietButton>{language.t('people.lookUp')}</QuietButton>
      </form>
      {missing && <p class="empty">{language.t('moderation.nobody')}</p>}
      {!search && (
        <ReportedNames
          reports={await nameReports.page(0, maxNameReports)}
          count={await nameReports.count()}
        />
      )}
      <AccountList people={people} search={search} order={order} />
    </ModerationPage>,
  );
}

function ReportedNames({ reports, count }: { reports: readonly NameReportDetails[]; count: number }) {
  const { t, formatNumber } = useLanguage();
  if (reports.length === 0) return null;
  return (
    <section class="narrow" aria-labelledby="names">
      <h2 id="names">{t('names.title')}</h2>
      <ul class="rows">
        {reports.map((report) => (
          <li>
            <div>
              <NameLink href={accountPath(report.username)} name={displayName(report)} />{' '}
              <span class="byline">
                (<bdi>{report.username}</bdi>)
              </span>
              <ReportText text={report.words} />
            </div>
            <Form action={`${path}names/`}>
              <input type="hidden" name="contributor" value={String(report.contributor)} />
              <button class="quiet" type="submit" name="decision" value="leave">
                <NamedAction action={t('moderation.leave')} name={displayName(report)} />
              </button>
            </Form>
          </li>
        ))}
      </ul>
      {count > reports.length && (
        <p class="faint">{t('list.more', { count: formatNumber(count - reports.length) })}</p>
      )}
    </section>
  );
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
    <section aria-labelledby="accounts">
      <h2 id="accounts">{t('people.accounts', { count: people.count })}</h2>
      <LinkTabs label={t('people.order')}>
        {accountOrders.map((name, index) => (
          <LinkItem
            href={urlWithParameters(path, searchQuery, { ordering: index === 0 ? '' : name })}
            current={name === order && 'true'}
          >
            {t(`people.order.${name}`)}
          </LinkItem>
        ))}
      </LinkTabs>
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
        <NameLink href={accountPath(username)} name={name} />
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
        <Byline
          parts={[
            disabled !== null && t('people.disabled'),
            rich('people.joinedOn', { date: <DateText instant={created} /> }),
            last_used !== null && rich('people.lastSeen', { date: <DateText instant={last_used} /> }),
          ]}
        />
      </div>
    </li>
  );
}

export const peopleRoutes = [
  page(
    [
      path,
      `${path}trust/`,
      `${path}names/`,
      `${path}profile/`,
      `${path}avatar/`,
      `${path}email/`,
      `${path}password/`,
      `${path}role/`,
    ],
    'seeReports',
    showPeoplePage,
  ),
];
