// /account/passkeys/: the passkeys of an account.

import { apiText, type Text } from '#common/api-text.ts';
import { Invalid } from '#common/errors.ts';
import { type Fields, readFields, textField } from '#rest/fields.ts';
import { loadContributor } from '../../../core/contributors/find-contributors.ts';
import { requireId } from '../../../core/ids.ts';
import { accountSections } from '../../../core/pages/account-sections.tsx';
import { LastUsed } from '../../../core/pages/last-used.tsx';
import { BoldName, Byline, DateText, Rows } from '../../../core/pages/layout/components.tsx';
import { ErrorSummary, FormFields, NamedAction } from '../../../core/pages/layout/form.tsx';
import { FormPage, SingleFormPage } from '../../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../../core/pages/page.ts';
import { requireSignedIn } from '../../../core/viewer/viewer.ts';
import { confirmViewer, findConfirmationFields } from '../confirmation.ts';
import { confirmIdentity } from '../sign-in.ts';
import {
  addPasskey,
  loadOwnPasskey,
  loadPasskeys,
  type Passkey,
  passkeyLimits,
  removePasskey,
  tooManyPasskeys,
} from './passkey.ts';
import {
  deleteTicketCookie,
  PasskeyForm,
  PasskeysMissing,
  readPasskeyResponse,
  respondWithOptions,
  respondWithProblem,
} from './passkey-form.tsx';
import { passkeyProblem } from './passkey-sign-in.ts';
import { passkeyScript } from './script.ts';
import { buildCreationOptions, toRelyingParty, verifyCreation } from './webauthn.ts';

const path = '/account/passkeys/';

const passkeyFields = {
  name: textField({
    label: apiText('name'),
    required: true,
    maxLength: passkeyLimits.name,
    isSingleLine: true,
  }),
} satisfies Fields;

async function showPasskeysPage(context: PageContext) {
  const { database, viewer, formErrors, origin, t, rich } = context;
  const passkeys = await loadPasskeys(database, requireSignedIn(viewer));
  const { host } = toRelyingParty(origin);
  const name = { ...passkeyFields.name, help: t('passkeys.nameHelp') };
  const fields = { name, ...(await findConfirmationFields(context)) };
  return context.render(
    <FormPage aside={accountSections(context)} title={t('passkeys.title')} scripts={[passkeyScript]}>
      <p>{rich('passkeys.intro', { host: <bdi>{host}</bdi> })}</p>
      <ErrorSummary formErrors={formErrors} fields={fields} />
      <Rows empty={t('passkeys.empty')}>
        {passkeys.map((passkey) => (
          <PasskeyRow passkey={passkey} host={host} />
        ))}
      </Rows>
      <h2>{t('passkeys.new')}</h2>
      <PasskeysMissing />
      <PasskeyForm exchange="create" action={path} button={t('passkeys.create')}>
        <FormFields fields={fields} formErrors={formErrors} />
      </PasskeyForm>
    </FormPage>,
  );
}

function PasskeyRow({ passkey, host }: { passkey: Passkey; host: string }) {
  const { t, rich } = useLanguage();
  const name = <BoldName name={passkey.name} />;
  return (
    <li>
      <div>
        {passkey.host === host ? name : rich('passkeys.otherHost', { name, host: passkey.host })}
        <Byline
          parts={[
            rich('account.created', { date: <DateText instant={passkey.created} /> }),
            <LastUsed instant={passkey.last_used} />,
          ]}
        />
      </div>
      <a class="button quiet" href={`${path}${passkey.id}/remove/`}>
        <NamedAction action={t('form.remove')} name={passkey.name} />
      </a>
    </li>
  );
}

/** Asks for the password first: otherwise the device would keep a passkey that is not stored. */
async function submitCreationOptions(context: PageContext) {
  const { database, accounts, challenges, viewer, request, origin, layout } = context;
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

async function showRemovePasskeyPage(context: PageContext) {
  const { database, viewer, params, t, rich } = context;
  const { id, name } = await loadOwnPasskey(database, requireId(params.id), requireSignedIn(viewer));
  return context.render(
    <SingleFormPage
      aside={accountSections(context)}
      title={t('passkeys.removeTitle')}
      note={rich('passkeys.removeNote', { name: <bdi>{name}</bdi> })}
      fields={await findConfirmationFields(context)}
      action={`${path}${id}/remove/`}
      variant="danger"
      button={t('passkeys.remove')}
    />,
  );
}

export const passkeyRoutes = [
  page(path, 'changeAccount', showPasskeysPage, async (context) => {
    // The challenge shows that the viewer has confirmed who they are: nobody else gets one.
    const { database, challenges, viewer, origin } = context;
    const contributor = requireSignedIn(viewer);
    const { name } = await context.readForm(passkeyFields);
    const { party, ticket, field } = await readPasskeyResponse(context);
    const challenge = await challenges.use({ kind: 'add', contributor }, ticket);
    const passkey = challenge === undefined ? undefined : await verifyCreation(party, challenge, field);
    if (!passkey) throw new Invalid({ non_field_errors: [passkeyProblem] });
    await addPasskey(database, contributor, name, passkey);
    return seeOther(path, [deleteTicketCookie(origin)]);
  }),
  form(`${path}options/`, 'changeAccount', submitCreationOptions),
  page(`${path}:id/remove/`, 'changeAccount', showRemovePasskeyPage, async (context) => {
    const { accounts, viewer, params } = context;
    await confirmViewer(context);
    await removePasskey(accounts, requireSignedIn(viewer), requireId(params.id));
    return seeOther(path);
  }),
];
