// /account/ and /account/leave/: the names and the deletion of an account.

import { chooseSignOutHeaders } from '#rest/authentication.ts';
import { readPartially } from '#rest/fields.ts';
import type { Child } from '#rest/jsx/jsx-runtime.ts';
import { loadSessions, sessionHashOf } from '../../core/accounts/sessions.ts';
import { loadUsage, type Quotas, type Usage } from '../../core/changes/usage.ts';
import { shownNameField } from '../../core/contributors/contributor.ts';
import { loadContributor } from '../../core/contributors/find-contributors.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { LinkItem, Notice } from '../../core/pages/layout/components.tsx';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage, SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage, useLinks } from '../../core/pages/layout/layout-data.ts';
import { form, loadSections, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { contributorPath } from '../../core/paths.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { updateAfter } from '../../projects/people/contributor-updates.ts';
import { accountDeletionFields, deleteAccount } from '../../projects/people/delete.ts';
import { renameContributor } from '../../projects/people/rename.ts';
import { findPasswordField } from '../sign-in/confirmation.ts';
import { confirmPasswordOrSession } from '../sign-in/sign-in.ts';
import { nameFields } from '../sign-in/sign-up.ts';
import { SessionList } from './sessions-page.tsx';

declare module '../../core/pages/page.ts' {
  interface Places {
    'account.notices': Section<undefined>;
    'account.aside': Section<undefined>;
  }
}

const { shown_name } = shownNameField;
const accountFields = { ...nameFields, shown_name: { ...shown_name, required: true } };

async function showAccountPage(context: PageContext) {
  const { database, layout, viewer, formErrors, url, t, rich } = context;
  const sessions = await loadSessions(database, requireSignedIn(viewer), sessionHashOf(viewer));
  const contributor = await loadContributor(database, requireSignedIn(viewer));
  const usage = await loadUsage(database, contributor.id);
  const { full_first_name, full_last_name, shown_name } = contributor;
  const isLookedAfter = viewer.lookedAfterBy !== undefined;
  return context.render(
    <FormPage
      title={t('account.title')}
      aside={
        <div>
          {isLookedAfter ? <LookedAfterLinks /> : accountSections(context)}
          {await loadSections(context, 'account.aside', undefined)}
          <p>{formatUsage(layout.language, usage, viewer.quotas)}</p>
          <SessionList sessions={sessions} />
        </div>
      }
    >
      {url.query.has('saved') && !formErrors && <Notice>{t('account.saved')}</Notice>}
      {await loadSections(context, 'account.notices', undefined)}
      <p>
        {rich('account.username', {
          username: <bdi>{contributor.username}</bdi>,
          link: (text) => <a href={contributorPath(contributor.id, contributor.username)}>{text}</a>,
        })}
      </p>
      {isLookedAfter ? (
        <p>{t('api.lookedAfter')}</p>
      ) : (
        <>
          <h2>{t('account.yourName')}</h2>
          <PostForm
            fields={accountFields}
            values={{ first_name: full_first_name, last_name: full_last_name, shown_name }}
            formErrors={formErrors}
            action="/account/"
            button={t('form.save')}
          />
        </>
      )}
    </FormPage>,
  );
}

/** Of somebody whom others look after. */
function LookedAfterLinks() {
  const { t } = useLanguage();
  return (
    <ul class="plain-list">
      <LinkItem href="/mine/">{t('mine.title')}</LinkItem>
      {useLinks('bell').map(({ href, text }) => (
        <LinkItem href={href}>{t(text)}</LinkItem>
      ))}
    </ul>
  );
}

const dumpLink = (text: Child) => (
  <a href="/api/v1/me/dump/" download>
    {text}
  </a>
);

const megabyte = 1024 * 1024;

const toMegabytes = (bytes: number) => Math.ceil(bytes / megabyte);

function formatUsage(
  { t, formatNumber }: Translator,
  { projects, file_bytes }: Usage,
  { projects: projectQuota, file_bytes: fileQuota }: Partial<Quotas> = {},
): string {
  const format = (used: number, quota?: number) =>
    quota === undefined
      ? formatNumber(used)
      : t('account.usedOf', { used: formatNumber(used), quota: formatNumber(quota) });
  return t('account.usage', {
    projects: format(projects, projectQuota),
    megabytes: format(toMegabytes(file_bytes), fileQuota && toMegabytes(fileQuota)),
  });
}

async function showLeavePage(context: PageContext) {
  const { t, rich } = context;
  return context.render(
    <SingleFormPage
      aside={accountSections(context)}
      title={t('account.delete')}
      note={rich('account.deleteNote', { link: dumpLink })}
      fields={{ items: accountDeletionFields.items, ...(await findPasswordField(context)) }}
      action="/account/leave/"
      variant="danger"
      button={t('account.delete')}
    />,
  );
}

export const accountRoutes = [
  page('/account/', 'seeAccount', showAccountPage),
  form('/account/', 'changeAccount', async (context) => {
    const names = readPartially(accountFields, (await context.request.readBody()).data);
    await updateAfter(context.database, requireSignedIn(context.viewer), () =>
      context.transact((write) => renameContributor(write, names)),
    );
    return seeOther('/account/?saved');
  }),
  page('/account/leave/', 'changeAccount', showLeavePage, async (context) => {
    const { viewer, request, origin } = context;
    const { items, password } = await context.readForm(accountDeletionFields);
    await confirmPasswordOrSession(context.accounts, viewer, password, request.client);
    await updateAfter(context.database, requireSignedIn(context.viewer), () =>
      context.transact((write) => deleteAccount(write, requireSignedIn(viewer), items), {
        changesActor: true,
      }),
    );
    const headers = chooseSignOutHeaders((await request.readBody()).data);
    return seeOther('/', context.authenticator.buildSignOutCookies(origin), headers);
  }),
];
