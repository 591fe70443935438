// /sign-in/ and /sign-out/. Pages that need an account redirect here, and after signing in the viewer is sent back.

import { Invalid, SecondFactorMissing, SecondFactorNeeded } from '#common/errors.ts';
import { chooseSignOutHeaders } from '#rest/authentication.ts';
import { readFields } from '#rest/fields.ts';
import type { PreparedResponse } from '#rest/prepared-response.ts';
import { buildServerCookie } from '#rest/server-cookie.ts';
import type { SignUpDependencies } from '../../core/accounts/dependencies.ts';
import { deleteSession, type SignedInAccount } from '../../core/accounts/sessions.ts';
import { findSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { Notice } from '../../core/pages/layout/components.tsx';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import {
  form,
  loadSections,
  type PageContext,
  page,
  parseNextPath,
  refererPath,
  secondFactorPath,
  seeOther,
} from '../../core/pages/page.ts';
import { parseProjectPath } from '../../core/paths.ts';
import type { SignUpPolicy } from '../../core/site/site-fields.ts';
import { findIfVisible } from '../../projects/pages/project/find-project.ts';
import { forgottenPath, PasswordHelp } from './forgotten-password-page.tsx';
import { CodeLink } from './invitation-code-page.tsx';
import { PasskeyForm } from './passkeys/passkey-form.tsx';
import { passkeyScript } from './passkeys/script.ts';
import { redirectToSecondFactor } from './second-factor/second-factor-sign-in-page.tsx';
import { credentialFields, signIn } from './sign-in.ts';

const path = '/sign-in/';

/** Of somebody who has signed in elsewhere and has no account here yet. */
export const newPersonCookie = 'vitrine_new_person';

export const deleteNewPersonCookie = (origin: string): string =>
  buildServerCookie(newPersonCookie, origin, undefined, 'Lax');

declare module '../../core/pages/page.ts' {
  interface Places {
    /** Signing in elsewhere, and going on to a path. */
    signInElsewhere: Section<string>;
    /** The way in which most people of the site sign in; then it stands first. */
    'signIn.first': Section<undefined>;
  }
}

async function showSignInPage(context: PageContext) {
  const { accounts, layout, formErrors, url, request, t, rich } = context;
  const next = parseNextPath(formErrors?.values.next ?? url.query.get('next') ?? refererPath(request));
  if (layout.name !== undefined) return seeOther(next);
  const [elsewhere, first, remixed] = await Promise.all([
    loadSections(context, 'signInElsewhere', next),
    loadSections(context, 'signIn.first', undefined),
    url.query.has('remix') ? findRemixed(context, next) : undefined,
  ]);
  const { policy } = findSignUpRules(accounts.signUpOptions, layout.site);
  return context.render(
    <FormPage title={t('signIn.title')} scripts={[passkeyScript]}>
      {url.query.has('new-password') && !formErrors && <Notice>{t('newPassword.saved')}</Notice>}
      {remixed && <p>{rich('signIn.toRemix', { title: <bdi>{remixed}</bdi> })}</p>}
      {first}
      {elsewhere}
      {elsewhere.length > 0 && accounts.allowsPasswords && <p class="or">{t('signIn.or')}</p>}
      {accounts.allowsPasswords && (
        <PostForm action={path} fields={credentialFields} formErrors={formErrors} button={t('signIn.title')}>
          <input type="hidden" name="next" value={next} />
        </PostForm>
      )}
      <PasskeyForm exchange="get" action="/sign-in/passkey/" button={t('signIn.passkey')}>
        <input type="hidden" name="next" value={next} />
      </PasskeyForm>
      {accounts.allowsPasswords && <PasswordNotes accounts={accounts} policy={policy} next={next} />}
      {first.length === 0 && <CodeLink />}
    </FormPage>,
  );
}

/** The title of the work that a visitor wants to remix. */
async function findRemixed({ projects, viewer }: PageContext, next: string): Promise<string | undefined> {
  const uuid = parseProjectPath(next);
  if (uuid === undefined) return undefined;
  return (await findIfVisible(projects.findByUuid(viewer, uuid)))?.title;
}

/** For people who have forgotten their password, or have no account yet. */
function PasswordNotes({ accounts, policy, next }: PasswordNotesProps) {
  const { t, rich } = useLanguage();
  return (
    <>
      {accounts.sendsMail ? (
        <p>{rich('signIn.forgotten', { link: (text) => <a href={forgottenPath}>{text}</a> })}</p>
      ) : (
        <p>
          {t('forgotten.title')} <PasswordHelp />
        </p>
      )}
      {policy === 'closed' ? (
        <p class="faint">{t('signIn.closed')}</p>
      ) : (
        <p>
          {rich(policy === 'invitation' ? 'signIn.signUpInvited' : 'signIn.signUp', {
            link: (text) => <a href={`/sign-up/?${new URLSearchParams({ next })}`}>{text}</a>,
          })}
        </p>
      )}
    </>
  );
}

interface PasswordNotesProps {
  readonly accounts: SignUpDependencies;
  readonly policy: SignUpPolicy;
  readonly next: string;
}

async function submitSignIn(context: PageContext) {
  const { accounts, request, layout } = context;
  const { data } = await request.readBody();
  const { username, password } = readFields(credentialFields, data);
  try {
    return await signInAndRedirect(context, parseNextPath(data.next), () =>
      signIn(accounts, username, password, request.client),
    );
  } catch (error) {
    // The message of the API is Django REST framework's.
    if (error instanceof Invalid)
      throw new Invalid({ non_field_errors: [layout.language.t('signIn.mismatch')] });
    throw error;
  }
}

/** After the first step, which `prove` checks: leads on to the second one where there is one. */
export async function signInAndRedirect(
  context: PageContext,
  next: string,
  prove: () => Promise<SignedInAccount>,
): Promise<PreparedResponse> {
  const { authenticator, request, origin } = context;
  const start = async (path: string, account: SignedInAccount) =>
    seeOther(path, (await authenticator.startSession(request.headers, origin, account)).cookies);
  try {
    return await start(next, await prove());
  } catch (error) {
    if (error instanceof SecondFactorMissing)
      return start(secondFactorPath, { ...error.account, hasSecondFactor: false });
    if (error instanceof SecondFactorNeeded) return redirectToSecondFactor(context, error, next);
    throw error;
  }
}

export const signInRoutes = [
  page([path, `${path}passkey/`], 'signIn', showSignInPage),
  form(path, 'signIn', submitSignIn),
  form('/sign-out/', 'signIn', async ({ database, authenticator, request, viewer, origin }) => {
    if (viewer.credential?.kind === 'session') await deleteSession(database, viewer.credential.id);
    // Nobody else at the same screen goes on with it.
    const cookies = [...authenticator.buildSignOutCookies(origin), deleteNewPersonCookie(origin)];
    return seeOther('/', cookies, chooseSignOutHeaders((await request.readBody()).data));
  }),
];
