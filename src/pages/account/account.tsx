// /account/, /account/password/ and /account/leave/: the names, the password and the deletion of an account.

import { readFields, readPartially } from '../../fields.ts';
import { accountDeletionFields, deleteAccount } from '../../gallery/accounts/delete.ts';
import { loadSessions, sessionHashOf } from '../../gallery/accounts/sessions.ts';
import { confirmPassword, newPasswordFields } from '../../gallery/accounts/sign-in.ts';
import { nameFields } from '../../gallery/accounts/sign-up.ts';
import { loadUsage } from '../../gallery/changes/usage.ts';
import { transactOnce } from '../../gallery/changes/write.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import { renameContributor } from '../../gallery/contributors/rename.ts';
import { shownNameField } from '../../gallery/contributors/shown-name.ts';
import { updateAfter } from '../../gallery/contributors/updates.ts';
import { contributorPath } from '../../gallery/paths.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { signOutHeaders } from '../../rest/authentication.ts';
import { CsrfField, ErrorSummary, FormFields } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { SessionList } from './sessions.tsx';

const accountFields = { ...nameFields, ...shownNameField };

export async function showAccountPage(
  { database }: PageDependencies,
  { layout, viewer, formErrors }: PageContext,
) {
  authorizeAny(viewer, 'seeAccount');
  const sessions = await loadSessions(database, requireSignedIn(viewer), sessionHashOf(viewer));
  const contributor = await loadContributor(database, requireSignedIn(viewer));
  const usage = await loadUsage(database, contributor.id);
  const { projects: projectQuota, file_bytes: fileQuota } = viewer.quotas ?? {};
  const { full_first_name, full_last_name, shown_name } = contributor;
  return renderPage(layout, {
    title: 'Account',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>Account</h1>
        <p>
          Your username is <bdi>{contributor.username}</bdi>. It’s part of the link to{' '}
          <a href={contributorPath(contributor.id, contributor.username)}>your page</a>, so you can’t change
          it.
        </p>
        <h2>Your name</h2>
        <ErrorSummary formErrors={formErrors} fields={accountFields} />
        <form class="stacked-form" method="post" action="/account/">
          <CsrfField />
          <FormFields
            fields={accountFields}
            values={{ first_name: full_first_name, last_name: full_last_name, shown_name }}
            formErrors={formErrors}
          />
          <button type="submit">Save</button>
        </form>
        <h2>Manage your account</h2>
        <ul class="plain-list">
          <li>
            <a href="/mine/">My projects</a>
          </li>
          <li>
            <a href="/api/v1/me/dump/" download="my-gallery.ndjson">
              Download my data
            </a>
            : everything you made and rated, in one file.
          </li>
          <li>
            <a href="/account/keys/">API keys</a> for programs that act for you.
          </li>
          <li>
            <a href="/account/passkeys/">Passkeys</a> to sign in without a password, and{' '}
            <a href="/account/second-step/">two-step sign-in</a>.
          </li>
          <li>
            <a href="/account/password/">Change password</a>
          </li>
          <li>
            <a href="/account/leave/">Delete my account</a>
          </li>
        </ul>
        <p>
          You have {formatUsage(usage.projects, projectQuota)} projects and comments, and{' '}
          {formatUsage(toMegabytes(usage.file_bytes), fileQuota && toMegabytes(fileQuota))} MB of files.
        </p>
        <SessionList sessions={sessions} />
      </div>
    ),
  });
}

const megabyte = 1024 * 1024;

const toMegabytes = (bytes = 0) => Math.ceil(bytes / megabyte);

const formatUsage = (used: number, quota?: number) =>
  quota === undefined ? `${used}` : `${used} of ${quota}`;

export async function submitNames(deps: PageDependencies, context: PageContext) {
  const names = readPartially(accountFields, (await context.request.readBody()).data);
  await updateAfter(deps.database, requireSignedIn(context.viewer), () =>
    transactOnce(deps.database, context, (write) => renameContributor(write, names)),
  );
  return seeOther('/account/');
}

export async function showPasswordPage(_: PageDependencies, { layout, viewer, formErrors }: PageContext) {
  authorizeAny(viewer, 'changeAccount');
  return renderPage(layout, {
    title: 'Change password',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>Change password</h1>
        <p>
          You’ll be signed out everywhere else, and your API keys will stop working. Your{' '}
          <a href="/account/passkeys/">passkeys</a> will still work, so check that they are all yours.
        </p>
        <ErrorSummary formErrors={formErrors} fields={newPasswordFields} />
        <form class="stacked-form" method="post" action="/account/password/">
          <CsrfField />
          <FormFields fields={newPasswordFields} formErrors={formErrors} />
          <button type="submit">Change password</button>
        </form>
      </div>
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

export async function showLeavePage(_: PageDependencies, { layout, viewer, formErrors }: PageContext) {
  authorizeAny(viewer, 'changeAccount');
  return renderPage(layout, {
    title: 'Delete my account',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>Delete my account</h1>
        <p>
          This deletes your account right away and for good. You may want to{' '}
          <a href="/api/v1/me/dump/" download="my-gallery.ndjson">
            download your data
          </a>{' '}
          first.
        </p>
        <ErrorSummary formErrors={formErrors} fields={accountDeletionFields} />
        <form class="stacked-form" method="post" action="/account/leave/">
          <CsrfField />
          <FormFields fields={accountDeletionFields} formErrors={formErrors} />
          <button class="danger" type="submit">
            Delete my account
          </button>
        </form>
      </div>
    ),
  });
}

export async function submitLeave(deps: PageDependencies, context: PageContext) {
  const { viewer, request, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const { items, password } = readFields(accountDeletionFields, (await request.readBody()).data);
  await confirmPassword(deps.accounts, requireSignedIn(viewer), password, request.clientAddress);
  await updateAfter(deps.database, requireSignedIn(context.viewer), () =>
    transactOnce(deps.database, context, ({ transaction, changeSet }) =>
      deleteAccount(transaction, changeSet, requireSignedIn(viewer), items),
    ),
  );
  return seeOther('/', deps.authenticator.buildSignOutCookies(origin), signOutHeaders);
}
