// /account/keys/: the API keys of an account. A key is shown once, in the response to its creation.

import { readFields } from '../../fields.ts';
import { createOwnKey, keyFields } from '../../gallery/accounts/key-fields.ts';
import { type ApiKey, loadKeys, revokeKey } from '../../gallery/accounts/keys.ts';
import { requireId } from '../../gallery/ids.ts';
import { now } from '../../gallery/instant.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { DateText } from '../dates.tsx';
import { ButtonForm, CsrfField, ErrorSummary, FormFields } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { seeOther } from '../redirects.ts';

const path = '/account/keys/';

export async function showKeysPage(deps: PageDependencies, context: PageContext) {
  return renderKeysPage(deps, context, undefined);
}

export async function submitNewKey(deps: PageDependencies, context: PageContext) {
  const { viewer, request } = context;
  authorizeAny(viewer, 'changeAccount');
  const values = readFields(keyFields(deps.timeZone), (await request.readBody()).data);
  const { secret } = await createOwnKey(deps.accounts, viewer, values, request.clientAddress);
  return renderKeysPage(deps, context, secret);
}

export async function submitKeyRevocation({ database }: PageDependencies, { viewer, params }: PageContext) {
  authorizeAny(viewer, 'changeAccount');
  await revokeKey(database, viewer.contributor, requireId(params.id), requireSignedIn(viewer));
  return seeOther(path);
}

async function renderKeysPage(
  { database, timeZone }: PageDependencies,
  context: PageContext,
  secret: string | undefined,
) {
  const { layout, viewer, formErrors } = context;
  authorizeAny(viewer, 'seeAccount');
  const keys = await loadKeys(database, requireSignedIn(viewer));
  const fields = keyFields(timeZone);
  return renderPage(layout, {
    title: 'API keys',
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>API keys</h1>
        {secret && (
          <div class="notice" role="status">
            <p>This is your new key. Keep it safe: it is shown only once.</p>
            <pre class="secret">{secret}</pre>
          </div>
        )}
        <p>
          A program with your key can act for you. <a href="/api/v1/">See what it can do</a>
        </p>
        {keys.length === 0 ? (
          <p class="empty">You have no API keys.</p>
        ) : (
          <ul class="rows">
            {keys.map((key) => (
              <KeyRow key_={key} />
            ))}
          </ul>
        )}
        <h2>New key</h2>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        <form class="stacked-form" method="post" action={path}>
          <CsrfField />
          <FormFields
            fields={{
              ...fields,
              expires: {
                ...fields.expires,
                help: 'In how many days? Leave it empty for a key that never expires.',
              },
            }}
            values={{ access: 'read', expires: 365 }}
            formErrors={formErrors}
          />
          <button type="submit">Create key</button>
        </form>
      </div>
    ),
  });
}

function KeyRow({ key_: key }: { key_: ApiKey }) {
  const isExpired = key.expires !== null && key.expires <= now();
  return (
    <li>
      <div>
        <b>
          <bdi>{key.name}</bdi>
        </b>{' '}
        {key.can_write ? 'can read and write' : 'can only read'}
        <p class="byline">
          created <DateText instant={key.created} />
          {key.expires !== null && (
            <>
              {isExpired ? ' · expired ' : ' · expires '}
              <DateText instant={key.expires} />
            </>
          )}
          {key.last_used === null ? (
            ' · never used'
          ) : (
            <>
              {' · last used '}
              <DateText instant={key.last_used} />
            </>
          )}
        </p>
      </div>
      <ButtonForm action={`${path}${key.id}/revoke/`} variant="quiet">
        Revoke<span class="visually-hidden"> {key.name}</span>
      </ButtonForm>
    </li>
  );
}
