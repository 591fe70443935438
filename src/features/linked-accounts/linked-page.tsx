// /account/linked/: accounts elsewhere with which the owner of an account signs in.

import { NotFound } from '#common/errors.ts';
import { withHeaders } from '#rest/prepared-response.ts';
import { requireId } from '../../core/ids.ts';
import { accountSections } from '../../core/pages/account-sections.tsx';
import { LastUsed } from '../../core/pages/last-used.tsx';
import { Byline, DateText, Rows } from '../../core/pages/layout/components.tsx';
import { NamedAction, PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage, SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import { type PageContext, page, seeOther } from '../../core/pages/page.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { confirmViewer, findConfirmationFields } from '../sign-in/confirmation.ts';
import { requireSignInService, startElsewhere } from './elsewhere-page.tsx';
import { linkedPath } from './link-accounts.ts';
import {
  issuerOf,
  type LinkedAccount,
  loadLinkedAccounts,
  loadOwnLinkedAccount,
  unlinkAccount,
} from './linked-account.ts';

async function showLinkedPage(context: PageContext) {
  const { database, features, formErrors, viewer, t } = context;
  if (!features.links.account?.some(({ href }) => href === linkedPath)) throw new NotFound();
  const { signInService } = context;
  return context.render(
    <FormPage aside={accountSections(context)} title={t('linked.title')}>
      {signInService && <p>{t('linked.intro', { label: signInService.label })}</p>}
      <Rows empty={t('linked.empty')}>
        {(await loadLinkedAccounts(database, requireSignedIn(viewer))).map((account) => (
          <LinkedAccountRow account={account} />
        ))}
      </Rows>
      {signInService && (
        <PostForm
          action={linkedPath}
          fields={await findConfirmationFields(context)}
          formErrors={formErrors}
          button={t('linked.link', { label: signInService.label })}
        />
      )}
    </FormPage>,
  );
}

function LinkedAccountRow({ account }: { account: LinkedAccount }) {
  const { t, rich } = useLanguage();
  const issuer = URL.parse(issuerOf(account))?.host ?? '';
  return (
    <li>
      <div>
        <b>
          <bdi>{issuer}</bdi>
        </b>
        <Byline
          parts={[
            rich('account.created', { date: <DateText instant={account.created} /> }),
            <LastUsed instant={account.last_used} />,
          ]}
        />
      </div>
      <a class="button quiet" href={`${linkedPath}${account.id}/remove/`}>
        <NamedAction action={t('form.remove')} name={issuer} />
      </a>
    </li>
  );
}

/** A page between: our Content-Security-Policy lets no form lead to another site. */
async function submitLink(context: PageContext) {
  const { viewer, t } = context;
  const { label } = requireSignInService(context);
  await confirmViewer(context);
  const { address, cookie } = await startElsewhere(context, linkedPath, requireSignedIn(viewer));
  const response = context.render(
    <FormPage aside={accountSections(context)} title={t('linked.title')}>
      <p>
        <a class="button" href={address}>
          {t('linked.goOn', { label })}
        </a>
      </p>
    </FormPage>,
  );
  return withHeaders(response, { Refresh: `0; url=${address}` }, [cookie]);
}

async function showRemovalPage(context: PageContext) {
  const { database, viewer, params, t, rich } = context;
  const account = await loadOwnLinkedAccount(database, requireId(params.id), requireSignedIn(viewer));
  return context.render(
    <SingleFormPage
      aside={accountSections(context)}
      title={t('linked.removeTitle')}
      note={rich('linked.removeNote', { name: <bdi>{URL.parse(issuerOf(account))?.host}</bdi> })}
      fields={await findConfirmationFields(context)}
      action={`${linkedPath}${account.id}/remove/`}
      variant="danger"
      button={t('form.remove')}
    />,
  );
}

export const linkedRoutes = [
  page(linkedPath, 'changeAccount', showLinkedPage, submitLink),
  page(`${linkedPath}:id/remove/`, 'changeAccount', showRemovalPage, async (context) => {
    const { accounts, viewer, params } = context;
    await confirmViewer(context);
    await unlinkAccount(accounts, requireSignedIn(viewer), requireId(params.id));
    return seeOther(linkedPath);
  }),
];
