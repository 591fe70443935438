// /account/passkeys/: the passkeys of an account.

import { apiText, type Text } from '../../common/api-text.ts';
import { Invalid } from '../../common/errors.ts';
import { type Fields, readFields, textField } from '../../common/fields.ts';
import { loadContributor } from '../../gallery/contributors/find.ts';
import { requireId } from '../../gallery/ids.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import {
  addPasskey,
  loadOwnPasskey,
  loadPasskeys,
  type Passkey,
  passkeyLimits,
  removePasskey,
  tooManyPasskeys,
} from '../../gallery/sign-in/passkey.ts';
import { passkeyProblem } from '../../gallery/sign-in/passkey-sign-in.ts';
import { confirmationFields, confirmIdentity, hasSignedInRecently } from '../../gallery/sign-in/sign-in.ts';
import { buildCreationOptions, toRelyingParty, verifyCreation } from '../../gallery/sign-in/webauthn.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { passkeyScript } from '../assets.ts';
import { DateText } from '../layout/dates.tsx';
import { ErrorSummary, FormFields, NamedAction, PostForm } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';
import { LastUsed } from './keys.tsx';
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
    label: apiText('name'),
    required: true,
    maxLength: passkeyLimits.name,
    isSingleLine: true,
  }),
} satisfies Fields;

export async function showPasskeysPage({ database }: PageDependencies, context: PageContext) {
  const { layout, viewer, formErrors, origin } = context;
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'changeAccount');
  const passkeys = await loadPasskeys(database, requireSignedIn(viewer));
  const { host } = toRelyingParty(origin);
  const name = { ...passkeyFields.name, help: t('passkeys.nameHelp') };
  const fields = { name, ...(await findConfirmationFields(database, context)) };
  return renderFormPage(context, {
    title: t('passkeys.title'),
    scripts: [passkeyScript],
    children: (
      <>
        <p>{rich('passkeys.intro', { host: <bdi>{host}</bdi> })}</p>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        {passkeys.length === 0 ? (
          <p class="empty">{t('passkeys.empty')}</p>
        ) : (
          <ul class="rows">
            {passkeys.map((passkey) => (
              <PasskeyRow passkey={passkey} host={host} />
            ))}
          </ul>
        )}
        <h2>{t('passkeys.new')}</h2>
        <PasskeysMissing />
        <PasskeyForm exchange="create" action={path} button={t('passkeys.create')}>
          <FormFields fields={fields} formErrors={formErrors} />
        </PasskeyForm>
      </>
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
  const { t, rich } = useLanguage();
  const name = (
    <b>
      <bdi>{passkey.name}</bdi>
    </b>
  );
  return (
    <li>
      <div>
        {passkey.host === host ? name : rich('passkeys.otherHost', { name, host: passkey.host })}
        <p class="byline">
          {rich('account.created', { date: <DateText instant={passkey.created} /> })}
          {' · '}
          <LastUsed instant={passkey.last_used} />
        </p>
      </div>
      <a href={`${path}${passkey.id}/remove/`}>
        <NamedAction action={t('form.remove')} name={passkey.name} />
      </a>
    </li>
  );
}

/** Asks for the password first: otherwise the device would keep a passkey that is not stored. */
export async function submitCreationOptions(
  { database, accounts, challenges }: PageDependencies,
  context: PageContext,
) {
  const { viewer, request, origin, layout } = context;
  authorizeAny(viewer, 'changeAccount');
  const contributor = requireSignedIn(viewer);
  const respond = (problems: readonly Text[]) => respondWithProblem(layout.language.join(problems));
  try {
    const { data } = await request.readBody();
    readFields(passkeyFields, data);
    await confirmIdentity(accounts, viewer, data, request.client);
    const existing = await loadPasskeys(database, contributor);
    if (existing.length >= passkeyLimits.passkeys) return respond([tooManyPasskeys]);
    const challenge = challenges.create({ kind: 'add', contributor });
    const owner = await loadContributor(database, contributor);
    const options = buildCreationOptions(
      toRelyingParty(origin),
      context.layout.site.name,
      challenge.challenge,
      owner,
      existing,
    );
    return respondWithOptions(context, challenge, options);
  } catch (error) {
    if (error instanceof Invalid) return respond(Object.values(error.fields).flat());
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
  const { t, rich } = layout.language;
  authorizeAny(viewer, 'changeAccount');
  const { id, name } = await loadOwnPasskey(database, requireId(params.id), requireSignedIn(viewer));
  const fields = await findConfirmationFields(database, context);
  return renderFormPage(context, {
    title: t('passkeys.removeTitle'),
    children: (
      <>
        <p>{rich('passkeys.removeNote', { name: <bdi>{name}</bdi> })}</p>
        <PostForm
          fields={fields}
          formErrors={formErrors}
          action={`${path}${id}/remove/`}
          variant="danger"
          button={t('passkeys.remove')}
        />
      </>
    ),
  });
}

export async function submitPasskeyRemoval({ database, accounts }: PageDependencies, context: PageContext) {
  const { viewer, request, params } = context;
  authorizeAny(viewer, 'changeAccount');
  await confirmIdentity(accounts, viewer, (await request.readBody()).data, request.client);
  await removePasskey(database, requireSignedIn(viewer), requireId(params.id));
  return seeOther(path);
}
