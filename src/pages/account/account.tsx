// /account/: who somebody is here, and what they may do about it; /account/password/ and /account/leave/.

import { readFields } from '../../fields.ts';
import { leave, leavingFields } from '../../gallery/accounts/leave.ts';
import { changePassword, confirmPassword, newPasswordFields } from '../../gallery/accounts/sign-in.ts';
import { nameFields } from '../../gallery/accounts/sign-up.ts';
import { contributorPath } from '../../gallery/addresses.ts';
import { findContributor } from '../../gallery/contributors/find.ts';
import { rename } from '../../gallery/contributors/rename.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { signedIn } from '../../gallery/projects/change.ts';
import { sessionCookies } from '../../rest/authentication.ts';
import { Members, Token, Wrong } from '../form.tsx';
import { page } from '../layout.tsx';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';
import { transactOnce } from '../transact.ts';

export async function account({ database }: PageParts, { frame, viewer, refused }: Served) {
  authorizeAny(viewer, 'seeAccount');
  const person = await findContributor(database, signedIn(viewer));
  return page(frame, {
    title: 'Account',
    listed: false,
    children: (
      <div class="narrow">
        <h1>Account</h1>
        <p>
          You are <bdi>{person.username}</bdi>: that is in the address of{' '}
          <a href={contributorPath(person.id, person.username)}>your page</a> and stays.
        </p>
        <h2>Your name</h2>
        <Wrong refused={refused} fields={nameFields} />
        <form class="asking" method="post" action="/account/">
          <Token token={frame.token} />
          <Members fields={nameFields} values={{ ...person }} refused={refused} />
          <button type="submit">Save</button>
        </form>
        <h2>What is yours</h2>
        <ul class="plain-list">
          <li>
            <a href="/mine/">My work</a>
          </li>
          <li>
            <a href="/api/v1/me/dump/" download="my-gallery.ndjson">
              Take my data with me
            </a>
            : all that you made and rated, in a file that any Vitrine can read.
          </li>
          <li>
            <a href="/account/keys/">Keys</a> for programs that do things in your name.
          </li>
          <li>
            <a href="/account/password/">Another password</a>
          </li>
          <li>
            <a href="/account/leave/">Leave, and delete the account</a>
          </li>
        </ul>
      </div>
    ),
  });
}

export async function takeNames(parts: PageParts, served: Served) {
  const names = readFields(nameFields, (await served.context.body()).data, { partial: true });
  await transactOnce(parts, served, (act) => rename(act, names));
  return seeOther('/account/');
}

export async function passwordPage(_: PageParts, { frame, viewer, refused }: Served) {
  authorizeAny(viewer, 'changeAccount');
  return page(frame, {
    title: 'Another password',
    listed: false,
    children: (
      <div class="narrow">
        <h1>Another password</h1>
        <p>Wherever else you are signed in, you will have to sign in again. Keys go on working.</p>
        <Wrong refused={refused} fields={newPasswordFields} />
        <form class="asking" method="post" action="/account/password/">
          <Token token={frame.token} />
          <Members fields={newPasswordFields} refused={refused} />
          <button type="submit">Change it</button>
        </form>
      </div>
    ),
  });
}

export async function takePassword(
  { accounts, authenticator }: PageParts,
  { viewer, context, base }: Served,
) {
  authorizeAny(viewer, 'changeAccount');
  const { old_password: old = '', new_password: chosen = '' } = readFields(
    newPasswordFields,
    (await context.body()).data,
  );
  await changePassword(accounts, signedIn(viewer), { old, chosen }, context.client);
  const { cookies } = await authenticator.begin(context.headers, base, signedIn(viewer));
  return seeOther('/account/', cookies);
}

export async function leavePage(_: PageParts, { frame, viewer, refused }: Served) {
  authorizeAny(viewer, 'changeAccount');
  return page(frame, {
    title: 'Leave',
    listed: false,
    children: (
      <div class="narrow">
        <h1>Leave</h1>
        <p>
          This deletes your account, at once and for good. You may want to{' '}
          <a href="/api/v1/me/dump/" download="my-gallery.ndjson">
            take your data
          </a>{' '}
          first.
        </p>
        <Wrong refused={refused} fields={leavingFields} />
        <form class="asking" method="post" action="/account/leave/">
          <Token token={frame.token} />
          <Members fields={leavingFields} refused={refused} />
          <button class="danger" type="submit">
            Delete my account
          </button>
        </form>
      </div>
    ),
  });
}

export async function takeLeave(parts: PageParts, served: Served) {
  const { viewer, context, base } = served;
  authorizeAny(viewer, 'changeAccount');
  const { items = 'keep', password } = readFields(leavingFields, (await context.body()).data);
  await confirmPassword(parts.accounts, signedIn(viewer), password, context.client);
  await transactOnce(parts, served, ({ transaction, changeSet }) =>
    leave(transaction, changeSet, signedIn(viewer), items),
  );
  return seeOther('/', sessionCookies(base));
}
