// Reported names, and the form with which a moderator changes the names of a contributor: parts of /moderation/people/.

import { NotFound } from '../../common/errors.ts';
import { readFields, readPartially } from '../../common/fields.ts';
import { type AccountDetails, findAccount } from '../../gallery/accounts/account.ts';
import { updateAfter } from '../../gallery/accounts/contributor-updates.ts';
import { displayName, toFullNames } from '../../gallery/contributors/contributor.ts';
import { optionalReasonFields } from '../../gallery/decisions/decision.ts';
import { requireId } from '../../gallery/ids.ts';
import type { NameReportDetails } from '../../gallery/moderation/name-report.ts';
import { leaveName, renameAsModerator, renameFields } from '../../gallery/moderation/rename.ts';
import { accountPath, NameLink, ReportText } from '../layout/components.tsx';
import { Form, FormFields, NamedAction } from '../layout/form.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { anyone, form, type PageContext, seeOther } from '../page.ts';
import { showConflictOnPage } from './moderation-page.tsx';

const path = '/moderation/people/names/';

export function ReportedNames({ reports, count }: { reports: readonly NameReportDetails[]; count: number }) {
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
            <Form action={path}>
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

export function RenameForm({ account }: { account: AccountDetails }) {
  const { t } = useLanguage();
  return (
    <details>
      <summary>{t('names.change')}</summary>
      <Form class="stacked-form" action={path}>
        <input type="hidden" name="contributor" value={String(account.id)} />
        <FormFields fields={renameFields} values={{ ...toFullNames(account) }} prefix="n" />
        <p class="faint">{t('names.changeNote')}</p>
        <button type="submit">{t('names.change')}</button>
      </Form>
    </details>
  );
}

async function decide(
  context: PageContext,
  contributor: number,
  data: Readonly<Record<string, unknown>>,
): Promise<void> {
  const { database } = context;
  if (data.decision === 'leave') {
    const { reason } = readFields(optionalReasonFields, data);
    await context.transact((write) => leaveName({ ...write, reason }, contributor));
    return;
  }
  const { reason, ...names } = readPartially(renameFields, data);
  await updateAfter(database, contributor, () =>
    context.transact((write) => renameAsModerator({ ...write, reason }, contributor, names)),
  );
}

export const nameRoutes = [
  form(path, anyone, async (context) => {
    const { data } = await context.request.readBody();
    const contributor = requireId(data.contributor);
    await showConflictOnPage(() => decide(context, contributor, data));
    const account = await findAccount(context.database, contributor);
    if (!account) throw new NotFound();
    return seeOther(accountPath(account.username));
  }),
];
