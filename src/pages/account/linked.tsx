// /account/linked/: accounts elsewhere with which the owner of an account signs in.

import { NotFound } from '../../common/errors.ts';
import { requireId } from '../../gallery/ids.ts';
import {
  issuerOf,
  type LinkedAccount,
  loadLinkedAccounts,
  loadOwnLinkedAccount,
  unlinkAccount,
} from '../../gallery/sign-in/linked-account.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { Byline, DateText, Rows } from '../layout/components.tsx';
import { NamedAction, PostForm } from '../layout/form.tsx';
import { FormPage, SingleFormPage } from '../layout/layout.tsx';
import { useLanguage } from '../layout/layout-data.ts';
import { linkedPath, type PageContext, page, seeOther } from '../page.ts';
import { confirmViewer, findConfirmationFields } from './confirmation.ts';
import { requireSignInService, startElsewhere } from './elsewhere.tsx';
import { LastUsed } from './keys.tsx';
import { accountSections, canLinkAccounts } from './sections.tsx';

async function showLinkedPage(context: PageContext) {
  const { database, formErrors, viewer, t } = context;
  if (!canLinkAccounts(context)) throw new NotFound();
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
  response.headers.append('Refresh', `0; url=${address}`);
  response.headers.append('Set-Cookie', cookie);
  return response;
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
