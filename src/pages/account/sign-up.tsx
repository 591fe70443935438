// /sign-up/: creating an account, if the operator allows it.

import { readFields, toText } from '../../common/fields.ts';
import {
  invalidInvitation,
  isValidInvitation,
  requireSignUpOpen,
  signUp,
  signUpFields,
} from '../../gallery/sign-in/sign-up.ts';
import { RulesLink } from '../home/site-texts.tsx';
import { ErrorSummary, FormFields } from '../layout/form.tsx';
import { renderFormPage } from '../layout/form-page.tsx';
import type { Translator } from '../messages/translator.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { parseNextPath, seeOther } from '../redirects.ts';

/** The fields in the order of the form. */
const getFormFields = (hasInvitation: boolean, sendsMail: boolean, { t }: Translator) => {
  const { invitation, username, password, first_name, last_name, email } = signUpFields;
  const all = {
    username,
    password,
    first_name: { ...first_name, label: t('signUp.firstName') },
    last_name: { ...last_name, label: t('signUp.lastName') },
    ...(sendsMail && { email }),
  };
  return hasInvitation ? { invitation: { ...invitation, help: undefined }, ...all } : all;
};

const nameSentences = { full: 'signUp.nameShown', username: 'signUp.nameHidden' } as const;

export async function showSignUpPage({ accounts }: PageDependencies, context: PageContext) {
  const { layout, url } = context;
  const { t, rich } = layout.language;
  const next = parseNextPath(context.formErrors?.values.next ?? url.query.get('next'));
  if (layout.name !== undefined) return seeOther(next);
  requireSignUpOpen(accounts.signUp);
  const needsInvitation = accounts.signUp === 'invitation';
  const invitation = toText((context.formErrors?.values ?? Object.fromEntries(url.query)).invitation);
  const isInvited = needsInvitation && (await isValidInvitation(accounts.database, invitation));
  const formErrors =
    context.formErrors ??
    (needsInvitation && invitation && !isInvited
      ? { values: { invitation }, errors: { invitation: [invalidInvitation] } }
      : undefined);
  const fields = getFormFields(needsInvitation && !isInvited, accounts.sendsMail, layout.language);
  return renderFormPage(context, {
    title: t('signUp.title'),
    children: (
      <>
        {isInvited && <p class="notice">{rich('signUp.invited', { site: <bdi>{layout.site.name}</bdi> })}</p>}
        <p>
          {t('signUp.intro')} {t(nameSentences[accounts.shownName])}
        </p>
        <RulesLink />
        <ErrorSummary formErrors={formErrors} fields={fields} />
        <form class="stacked-form" method="post" action="/sign-up/">
          <input type="hidden" name="next" value={next} />
          {isInvited && <input type="hidden" name="invitation" value={invitation} />}
          <FormFields fields={fields} formErrors={formErrors} />
          <button type="submit">{t('signUp.title')}</button>
        </form>
        <p>{rich('signUp.signIn', { link: (text) => <a href="/sign-in/">{text}</a> })}</p>
      </>
    ),
  });
}

export async function submitSignUp(
  { accounts, authenticator }: PageDependencies,
  { request, origin }: PageContext,
) {
  requireSignUpOpen(accounts.signUp);
  const { data } = await request.readBody();
  const { id } = await signUp(accounts, readFields(signUpFields, data), request);
  const { cookies } = await authenticator.startSession(request.headers, origin, { id });
  const next = parseNextPath(data.next);
  return seeOther(next === '/' ? '/new/?welcome' : next, cookies);
}
