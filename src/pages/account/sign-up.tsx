// /sign-up/: a new account, where the operator lets people make them.

import { readFields } from '../../fields.ts';
import { demandSignUp, signUp, signUpFields } from '../../gallery/accounts/sign-up.ts';
import { Members, titleOf, Wrong } from '../form.tsx';
import { page } from '../layout.tsx';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';
import { nextOf } from './sign-in.tsx';

/** In the order in which one is asked. */
const asked = (policy: string) => {
  const { invitation, username, password, ...names } = signUpFields;
  const all = { username, password, ...names };
  return policy === 'invitation' ? { invitation: { ...invitation, help: undefined }, ...all } : all;
};

export async function signUpPage({ accounts }: PageParts, { frame, refused, address }: Served) {
  const next = nextOf(refused?.typed.next ?? address.query.get('next'));
  if (frame.name !== undefined) return seeOther(next);
  demandSignUp(accounts.signUp);
  const fields = asked(accounts.signUp);
  return page(frame, {
    title: titleOf(refused, 'Sign up'),
    listed: false,
    keeps: 'nothing',
    children: (
      <div class="narrow">
        <h1>Sign up</h1>
        <p>
          Make things, copy what others made, say what you think of it. Your username is in the address of
          your page, and your name stands on what you make; both are for everyone to see.
        </p>
        <Wrong refused={refused} fields={fields} />
        <form class="asking" method="post" action="/sign-up/">
          <input type="hidden" name="next" value={next} />
          <Members
            fields={fields}
            values={{ invitation: address.query.get('invitation') }}
            refused={refused}
          />
          <button type="submit">Sign up</button>
        </form>
        <p>
          Here already? <a href="/sign-in/">Sign in</a>.
        </p>
      </div>
    ),
  });
}

export async function beSignedUp({ accounts, authenticator }: PageParts, { context, base }: Served) {
  demandSignUp(accounts.signUp);
  const { data } = await context.body();
  const { id } = await signUp(accounts, readFields(signUpFields, data), context.client);
  const { cookies } = await authenticator.begin(context.headers, base, id);
  return seeOther(nextOf(data.next), cookies);
}
