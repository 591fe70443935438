// /account/keys/: the API keys of an account. A key is shown once, in the response to its creation.

import { type ApiKey, loadKeys, revokeKey } from '../../core/accounts/keys.ts';
import { requireId } from '../../core/ids.ts';
import { now } from '../../core/instant.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { LastUsed } from '../../core/pages/last-used.tsx';
import { BoldName, Byline, DateText, Rows, SecretNotice } from '../../core/pages/layout/components.tsx';
import { ButtonForm, NamedAction, PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { form, type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { findPasswordField } from '../sign-in/confirmation.ts';
import { createOwnKey, keyFormFields } from './key-fields.ts';

const path = '/account/keys/';

async function renderKeysPage(context: PageContext, secret?: string) {
  const { database, viewer, formErrors, t, rich } = context;
  const keys = await loadKeys(database, requireSignedIn(viewer));
  const { access, expires, password: _, ...otherFields } = keyFormFields;
  const fields = {
    ...otherFields,
    ...(await findPasswordField(context)),
    access: { ...access, required: true },
    expires: { ...expires, help: t('keys.expiresHelp') },
  };
  return context.render(
    <FormPage aside={accountSections(context)} title={t('keys.title')}>
      {secret && <SecretNotice label={t('keys.secret')} secret={secret} />}
      <p>{rich('keys.intro', { link: (text) => <a href="/api/v1/">{text}</a> })}</p>
      <Rows empty={t('keys.empty')}>
        {keys.map((key) => (
          <KeyRow key_={key} />
        ))}
      </Rows>
      <h2>{t('keys.new')}</h2>
      <PostForm
        fields={fields}
        values={{ access: 'read', expires: 365 }}
        formErrors={formErrors}
        action={path}
        button={t('keys.create')}
      />
    </FormPage>,
  );
}

function KeyRow({ key_: key }: { key_: ApiKey }) {
  const { t, rich } = useLanguage();
  return (
    <li>
      <div>
        {rich(key.can_write ? 'keys.canWrite' : 'keys.canRead', {
          name: <BoldName name={key.name} />,
        })}
        <Byline
          parts={[
            rich('account.created', { date: <DateText instant={key.created} /> }),
            key.expires !== null &&
              rich(key.expires <= now() ? 'keys.expired' : 'keys.expires', {
                date: <DateText instant={key.expires} />,
              }),
            <LastUsed instant={key.last_used} />,
          ]}
        />
      </div>
      <ButtonForm action={`${path}${key.id}/revoke/`} variant="quiet">
        <NamedAction action={t('keys.revoke')} name={key.name} />
      </ButtonForm>
    </li>
  );
}

export const keyRoutes = [
  page(path, 'changeAccount', renderKeysPage),
  form(path, 'changeAccount', async (context) => {
    const { viewer, request } = context;
    const values = await context.readForm(keyFormFields);
    const { secret } = await createOwnKey(context.accounts, viewer, values, request.client);
    return renderKeysPage(context, secret);
  }),
  form(`${path}:id/revoke/`, 'changeAccount', async ({ database, viewer, params }) => {
    await revokeKey(database, viewer.contributor, requireId(params.id), requireSignedIn(viewer));
    return seeOther(path);
  }),
];
