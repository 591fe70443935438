// /sign-up/: creating an account, if the operator allows it.

import { readFields } from '../../fields.ts';
import { requireSignUpOpen, signUp, signUpFields } from '../../gallery/accounts/sign-up.ts';
import { ErrorSummary, FormFields, getFormTitle } from '../form.tsx';
import { renderPage } from '../layout.tsx';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { parseNextPath, seeOther } from '../redirects.ts';

/** The fields in the order of the form; the invitation only where the site requires one. */
const getFormFields = (policy: string) => {
  const { invitation, username, password, ...names } = signUpFields;
  const all = { username, password, ...names };
  return policy === 'invitation' ? { invitation: { ...invitation, help: undefined }, ...all } : all;
};

const nameSentences = {
  full: 'Your name is shown with your projects. You can change that in your account.',
  username: 'Only you and moderators can see your name. You can change that in your account.',
};

export async function showSignUpPage(
  { accounts }: PageDependencies,
  { layout, formErrors, url }: PageContext,
) {
  const next = parseNextPath(formErrors?.values.next ?? url.query.get('next'));
  if (layout.name !== undefined) return seeOther(next);
  requireSignUpOpen(accounts.signUp);
  const fields = getFormFields(accounts.signUp);
  return renderPage(layout, {
    title: getFormTitle(formErrors, 'Sign up'),
    isIndexed: false,
    cache: 'no-store',
    children: (
      <div class="narrow">
        <h1>Sign up</h1>
        <p>
          Share what you make, remix what others made, and join the conversation. Everyone can see your
          username. {nameSentences[accounts.shownName]}
        </p>
        <ErrorSummary formErrors={formErrors} fields={fields} />
        <form class="stacked-form" method="post" action="/sign-up/">
          <input type="hidden" name="next" value={next} />
          <FormFields
            fields={fields}
            values={{ invitation: url.query.get('invitation') }}
            formErrors={formErrors}
          />
          <button type="submit">Sign up</button>
        </form>
        <p>
          Already have an account? <a href="/sign-in/">Sign in</a>.
        </p>
      </div>
    ),
  });
}

export async function submitSignUp(
  { accounts, authenticator }: PageDependencies,
  { request, origin }: PageContext,
) {
  requireSignUpOpen(accounts.signUp);
  const { data } = await request.readBody();
  const { id } = await signUp(accounts, readFields(signUpFields, data), request.clientAddress);
  const { cookies } = await authenticator.startSession(request.headers, origin, { id });
  return seeOther(parseNextPath(data.next), cookies);
}
