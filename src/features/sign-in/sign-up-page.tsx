// /sign-up/: creating an account, if the operator allows it.

import { Forbidden } from '#common/errors.ts';
import { readFields, toText } from '#rest/fields.ts';
import { usernameTaken } from '../../core/accounts/change-account.ts';
import { findSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { type PageContext, page, parseNextPath, seeOther } from '../../core/pages/page.ts';
import { RulesLink } from '../../core/pages/site-texts.tsx';
import { toMailLanguage } from '../../core/texts/languages.ts';
import type { Translator } from '../../core/texts/translator.ts';
import { invalidInvitation, isValidLink, parseCode } from './invitation.ts';
import { CodeLink } from './invitation-code-page.tsx';
import { requireSignUpOpen, signUp, signUpFields, suggestUsernames } from './sign-up.ts';

/** The fields in the order of the form. */
export const getFormFields = (hasInvitation: boolean, sendsMail: boolean, { t }: Translator) => {
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

export const nameSentences = { full: 'signUp.nameShown', username: 'signUp.nameHidden' } as const;

async function showSignUpPage(context: PageContext) {
  const { accounts, layout, url, t, rich } = context;
  const next = parseNextPath(context.formErrors?.values.next ?? url.query.get('next'));
  if (layout.name !== undefined) return seeOther(next);
  // People get an account when they sign in elsewhere for the first time.
  if (!accounts.allowsPasswords) return seeOther(`/sign-in/?${new URLSearchParams({ next })}`);
  const rules = findSignUpRules(accounts.signUpOptions, layout.site);
  const invitation = toText((context.formErrors?.values ?? Object.fromEntries(url.query)).invitation);
  const isRefused = context.formErrors?.errors.invitation !== undefined;
  // Only a form that is sent tries a code: a page that is opened counts no tries.
  const isInvited =
    invitation !== '' &&
    !isRefused &&
    (parseCode(invitation) !== undefined || (await isValidLink(accounts.database, invitation)));
  if (rules.policy === 'closed' && invitation && !isInvited) throw new Forbidden(invalidInvitation);
  requireSignUpOpen(rules, invitation);
  const needsInvitation = rules.policy !== 'open';
  const formErrors =
    context.formErrors ??
    (needsInvitation && invitation && !isInvited
      ? { values: { invitation }, errors: { invitation: [invalidInvitation] } }
      : undefined);
  const fields = getFormFields(needsInvitation && !isInvited, accounts.sendsMail, layout.language);
  const isTaken = context.formErrors?.errors.username?.includes(usernameTaken);
  const name = toText(context.formErrors?.values.username).trim();
  const free = isTaken ? await suggestUsernames(accounts.database, name) : [];
  const help = free.length > 0 ? t('signUp.free', { names: free.join(', ') }) : fields.username.help;
  return context.render(
    <FormPage title={t('signUp.title')}>
      {isInvited && <p class="notice">{rich('signUp.invited', { site: <bdi>{layout.site.name}</bdi> })}</p>}
      <p>
        {t('signUp.intro')} {t(nameSentences[rules.shownName])}
      </p>
      <RulesLink />
      <PostForm
        action="/sign-up/"
        fields={{ ...fields, username: { ...fields.username, help } }}
        formErrors={formErrors}
        button={t('signUp.title')}
      >
        <input type="hidden" name="next" value={next} />
        {isInvited && <input type="hidden" name="invitation" value={invitation} />}
      </PostForm>
      {!isInvited && <CodeLink />}
      <p>{rich('signUp.signIn', { link: (text) => <a href="/sign-in/">{text}</a> })}</p>
    </FormPage>,
  );
}

async function submitSignUp({ accounts, authenticator, request, origin, layout }: PageContext) {
  const rules = findSignUpRules(accounts.signUpOptions, layout.site);
  const { data } = await request.readBody();
  requireSignUpOpen(rules, toText(data.invitation));
  const { id } = await signUp(accounts, rules, readFields(signUpFields, data), {
    client: request.client,
    language: toMailLanguage(layout.language.code),
  });
  const { cookies } = await authenticator.startSession(request.headers, origin, { id });
  const next = parseNextPath(data.next);
  return seeOther(next === '/' ? '/new/?welcome' : next, cookies);
}

export const signUpRoutes = [page('/sign-up/', 'signUp', showSignUpPage, submitSignUp)];
