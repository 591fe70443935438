// /account/, /account/password/ and /account/leave/: the names, the password and the deletion of an account.

import { readFields, readPartially } from '../../common/fields.ts';
import { updateAfter } from '../../gallery/accounts/contributor-updates.ts';
import { accountDeletionFields, deleteAccount } from '../../gallery/accounts/delete.ts';
import { renameContributor } from '../../gallery/accounts/rename.ts';
import { loadSessions, sessionHashOf } from '../../gallery/accounts/sessions.ts';
import { loadUsage, type Quotas, type Usage } from '../../gallery/changes/usage.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { shownNameField } from '../../gallery/contributors/contributor.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { confirmPassword, newPasswordFields } from '../../gallery/sign-in/sign-in.ts';
import { nameFields } from '../../gallery/sign-in/sign-up.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { hasStoppedWebhook } from '../../gallery/webhooks/webhook.ts';
import type { Child } from '../../jsx/jsx-runtime.ts';
import { signOutHeaders } from '../../rest/authentication.ts';
import { PostForm } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { Notice } from '../layout/links.tsx';
import type { Translator } from '../messages/translator.ts';
import { importPath } from '../own-data/import.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { secondFactorPath, seeOther } from '../redirects.ts';
import { SessionList } from './sessions.tsx';
import { webhooksPath } from './webhooks.tsx';

const { shown_name } = shownNameField;
const accountFields = { ...nameFields, shown_name: { ...shown_name, required: true } };

export async function showAccountPage({ database, accounts }: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors, url } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'seeAccount');
  const sessions = await loadSessions(database, requireSignedIn(viewer), sessionHashOf(viewer));
  const contributor = await loadContributor(database, requireSignedIn(viewer));
  const usage = await loadUsage(database, contributor.id);
  const { full_first_name, full_last_name, shown_name } = contributor;
  return renderFormPage(context, {
    title: t('account.title'),
    children: (
      <>
        {url.query.has('saved') && !formErrors && <Notice>{t('account.saved')}</Notice>}
        {(await hasStoppedWebhook(database, contributor.id)) && (
          <p class="notice">{rich('account.webhookOff', { link: linkTo(webhooksPath) })}</p>
        )}
        <p>
          {rich('account.username', {
            username: <bdi>{contributor.username}</bdi>,
            link: (text) => <a href={contributorPath(contributor.id, contributor.username)}>{text}</a>,
          })}
        </p>
        <h2>{t('account.yourName')}</h2>
        <PostForm
          fields={accountFields}
          values={{ first_name: full_first_name, last_name: full_last_name, shown_name }}
          formErrors={formErrors}
          action="/account/"
          button={t('form.save')}
        />
        <h2>{t('account.manage')}</h2>
        <AccountLinks sendsMail={accounts.sendsMail} />
        <p>{formatUsage(layout.language, usage, viewer.quotas)}</p>
        <SessionList sessions={sessions} />
      </>
    ),
  });
}

const linkTo = (href: string) => (text: Child) => <a href={href}>{text}</a>;

function AccountLinks({ sendsMail }: { sendsMail: boolean }) {
  const { t, rich } = useLanguage();
  return (
    <ul class="plain-list">
      <li>
        <a href="/mine/">{t('mine.title')}</a>
      </li>
      <li>
        <a href="/account/profile/">{t('profile.title')}</a>
      </li>
      <li>
        <a href="/account/notifications/">{t('notifications.title')}</a>
      </li>
      <li>{rich('account.download', { link: dumpLink })}</li>
      <li>{rich('account.import', { link: linkTo(importPath) })}</li>
      <li>{rich('account.keys', { link: linkTo('/account/keys/') })}</li>
      <li>{rich('account.webhooks', { link: linkTo(webhooksPath) })}</li>
      <li>
        {rich('account.passkeys', {
          passkeys: linkTo('/account/passkeys/'),
          steps: linkTo(secondFactorPath),
        })}
      </li>
      {sendsMail && (
        <li>
          <a href="/account/email/">{t('email.title')}</a>
        </li>
      )}
      <li>
        <a href="/account/password/">{t('account.changePassword')}</a>
      </li>
      <li>
        <a href="/account/leave/">{t('account.delete')}</a>
      </li>
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

export async function submitNames(deps: PageDependencies, context: PageContext) {
  const names = readPartially(accountFields, (await context.request.readBody()).data);
  await updateAfter(deps.database, requireSignedIn(context.viewer), () =>
    transactOnce(deps.database, context, (write) => renameContributor(write, names)),
  );
  return seeOther('/account/?saved');
}

export async function showPasswordPage(_: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'changeAccount');
  return renderFormPage(context, {
    title: t('account.changePassword'),
    children: (
      <>
        <p>{rich('account.passwordNote', { link: linkTo('/account/passkeys/') })}</p>
        <PostForm
          fields={newPasswordFields}
          formErrors={formErrors}
          action="/account/password/"
          button={t('account.changePassword')}
        />
      </>
    ),
  });
}

export async function submitPassword(
  { accounts, authenticator }: PageDependencies,
  { viewer, request }: PageContext,
) {
  authorizeAny(viewer, 'changeAccount');
  const passwords = readFields(newPasswordFields, (await request.readBody()).data);
  return seeOther('/account/', await authenticator.changePassword(accounts, request, viewer, passwords));
}

export async function showLeavePage(_: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'changeAccount');
  return renderFormPage(context, {
    title: t('account.delete'),
    children: (
      <>
        <p>{rich('account.deleteNote', { link: dumpLink })}</p>
        <PostForm
          fields={accountDeletionFields}
          formErrors={formErrors}
          action="/account/leave/"
          variant="danger"
          button={t('account.delete')}
        />
      </>
    ),
  });
}

export async function submitLeave(deps: PageDependencies, context: PageContext) {
  const { viewer, request, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const { items, password } = readFields(accountDeletionFields, (await request.readBody()).data);
  await confirmPassword(deps.accounts, requireSignedIn(viewer), password, request.client);
  await updateAfter(deps.database, requireSignedIn(context.viewer), () =>
    transactOnce(deps.database, context, (write) => deleteAccount(write, requireSignedIn(viewer), items), {
      changesActor: true,
    }),
  );
  return seeOther('/', deps.authenticator.buildSignOutCookies(origin), signOutHeaders);
}
