// /account/passkeys/: the passkeys of an account.

import { Invalid } from '../../errors.ts';
import { type Fields, readFields, textField } from '../../fields.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import { requireId } from '../../gallery/ids.ts';
import {
  confirmationFields,
  confirmIdentity,
  hasSignedInRecently,
} from '../../gallery/passkeys/confirm-identity.ts';
import {
  addPasskey,
  loadOwnPasskey,
  loadPasskeys,
  type Passkey,
  passkeyLimits,
  removePasskey,
  tooManyPasskeys,
} from '../../gallery/passkeys/passkey.ts';
import { passkeyProblem } from '../../gallery/passkeys/sign-in.ts';
import { buildCreationOptions, toRelyingParty, verifyCreation } from '../../gallery/passkeys/webauthn.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { passkeyScript } from '../assets.ts';
import { DateText } from '../dates.tsx';
import { CsrfField, ErrorSummary, FormFields } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import {
  deleteTicketCookie,
  PasskeyForm,
  PasskeysMissing,
  readPasskeyResponse,
  respondWithOptions,
  respondWithProblem,
} from './passkey-form.tsx';

const path = '/account/passkeys/';

const passkeyFields = {
  name: textField({
    label: 'Name',
    help: 'Something you’ll recognise, such as “my phone”.',
    required: true,
    maxLength: passkeyLimits.name,
    isSingleLine: true,
  }),
} satisfies Fields;

export async function showPasskeysPage({ database }: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const passkeys = await loadPasskeys(database, requireSignedIn(viewer));
  const { host } = toRelyingParty(origin);
  const fields = { ...passkeyFields, ...(await findConfirmationFields(database, context)) };
  return renderPage(layout, {
    title: 'Passkeys',
    isIndexed: false,
    cache: 'no-store',
    scripts: [passkeyScript],
    children: (
      <div class="narrow">
        <h1>Passkeys</h1>
        <p>
          A passkey signs you in without a password: your phone, your computer or a security key asks for your
          fingerprint, your face or a PIN. It only works at <bdi>{host}</bdi>.
        </p>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        {passkeys.length === 0 ? (
          <p class="empty">You have no passkeys.</p>
        ) : (
          <ul class="rows">
            {passkeys.map((passkey) => (
              <PasskeyRow passkey={passkey} host={host} />
            ))}
          </ul>
        )}
        <h2>New passkey</h2>
        <PasskeysMissing />
        <PasskeyForm exchange="create" action={path} button="Create passkey">
          <FormFields fields={fields} formErrors={formErrors} />
        </PasskeyForm>
      </div>
    ),
  });
}

/** A viewer who has just signed in is not asked for the password. */
export async function findConfirmationFields(
  database: PageDependencies['database'],
  { viewer }: PageContext,
): Promise<Fields> {
  return (await hasSignedInRecently(database, viewer)) ? {} : confirmationFields;
}

function PasskeyRow({ passkey, host }: { passkey: Passkey; host: string }) {
  return (
    <li>
      <div>
        <b>
          <bdi>{passkey.name}</bdi>
        </b>
        {passkey.host !== host && ` only works at ${passkey.host}`}
        <p class="byline">
          created <DateText instant={passkey.created} />
          {passkey.last_used === null ? (
            ' · never used'
          ) : (
            <>
              {' · last used '}
              <DateText instant={passkey.last_used} />
            </>
          )}
        </p>
      </div>
      <a href={`${path}${passkey.id}/remove/`}>
        Remove<span class="visually-hidden"> {passkey.name}</span>
      </a>
    </li>
  );
}

/** Asks for the password first: otherwise the device would keep a passkey that is not stored. */
export async function submitCreationOptions(
  { database, accounts, challenges }: PageDependencies,
  context: PageContext,
) {
  const { viewer, request, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  try {
    const { data } = await request.readBody();
    readFields(passkeyFields, data);
    await confirmIdentity(accounts, viewer, data, request.clientAddress);
    const existing = await loadPasskeys(database, contributor);
    if (existing.length >= passkeyLimits.passkeys) return respondWithProblem(tooManyPasskeys);
    const challenge = challenges.create({ kind: 'add', contributor });
    const owner = await loadContributor(database, contributor);
    const options = buildCreationOptions(toRelyingParty(origin), challenge.challenge, owner, existing);
    return respondWithOptions(context, challenge, options);
  } catch (error) {
    if (error instanceof Invalid) return respondWithProblem(Object.values(error.fields).flat().join(' '));
    throw error;
  }
}

/** The challenge shows that the viewer has confirmed who they are: nobody else gets one. */
export async function submitNewPasskey({ database, challenges }: PageDependencies, context: PageContext) {
  const { viewer, request, origin } = context;
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  const { name } = readFields(passkeyFields, (await request.readBody()).data);
  const { party, ticket, field } = await readPasskeyResponse(context);
  const challenge = await challenges.use({ kind: 'add', contributor }, ticket);
  const passkey = challenge === undefined ? undefined : await verifyCreation(party, challenge, field);
  if (!passkey) throw new Invalid({ non_field_errors: [passkeyProblem] });
  await addPasskey(database, contributor, name, passkey);
  return seeOther(path, [deleteTicketCookie(origin)]);
}

export async function showRemovePasskeyPage({ database }: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors, params } = context;
  authorizeAny(viewer, 'changeAccount');
  const { id, name } = await loadOwnPasskey(database, requireId(params.id), requireSignedIn(viewer));
  const fields = await findConfirmationFields(database, context);
  return renderPage(layout, {
    title: 'Remove a passkey',
    isIndexed: false,
    children: (
      <div class="narrow">
        <h1>Remove a passkey</h1>
        <p>
          You won’t be able to sign in with <bdi>{name}</bdi> any more. Delete it on the device too.
        </p>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        <form class="stacked-form" method="post" action={`${path}${id}/remove/`}>
          <CsrfField />
          <FormFields fields={fields} formErrors={formErrors} />
          <button class="danger" type="submit">
            Remove passkey
          </button>
        </form>
      </div>
    ),
  });
}

export async function submitPasskeyRemoval({ database, accounts }: PageDependencies, context: PageContext) {
  const { viewer, request, params } = context;
  authorizeAny(viewer, 'changeAccount');
  await confirmIdentity(accounts, viewer, (await request.readBody()).data, request.clientAddress);
  await removePasskey(database, requireSignedIn(viewer), requireId(params.id));
  return seeOther(path);
}
