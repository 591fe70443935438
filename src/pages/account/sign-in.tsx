// /sign-in/ and /sign-out/. Whoever must be somebody to go on is sent here, and back from here.

import { readFields } from '../../fields.ts';
import { endSession } from '../../gallery/accounts/sessions.ts';
import { credentialFields, signIn } from '../../gallery/accounts/sign-in.ts';
import { sessionCookies } from '../../rest/authentication.ts';
import type { RequestContext } from '../../rest/request-context.ts';
import { Members, Wrong } from '../form.tsx';
import { cameFrom, localPath } from '../frame.ts';
import { page } from '../layout.tsx';
import { seeOther } from '../moved.ts';
import type { PageParts, Served } from '../serve.ts';

const path = '/sign-in/';

export async function signInPage({ accounts }: PageParts, served: Served) {
  const { frame, refused, address, context } = served;
  const next = nextOf(refused?.typed.next ?? address.query.get('next') ?? cameFrom(context));
  if (frame.name !== undefined) return seeOther(next);
  return page(frame, {
    title: refused ? 'Not signed in – Sign in' : 'Sign in',
    listed: false,
    keeps: 'nothing',
    children: (
      <div class="narrow">
        <h1>Sign in</h1>
        <Wrong refused={refused} fields={credentialFields} />
        <form class="asking" method="post" action={path}>
          <input type="hidden" name="next" value={next} />
          <Members fields={credentialFields} refused={refused} />
          <button type="submit">Sign in</button>
        </form>
        {accounts.signUp === 'closed' ? (
          <p class="faint">The people who run this site make accounts, and give you another password.</p>
        ) : (
          <p>
            No account yet? <a href={`/sign-up/?${new URLSearchParams({ next })}`}>Sign up</a>
            {accounts.signUp === 'invitation' && ', with an invitation'}.
          </p>
        )}
      </div>
    ),
  });
}

export async function beSignedIn({ accounts, authenticator }: PageParts, { context, base }: Served) {
  const { data } = await context.body();
  const { username = '', password = '' } = readFields(credentialFields, data);
  const contributor = await signIn(accounts, username, password, context.client);
  const { cookies } = await authenticator.begin(context.headers, base, contributor);
  return seeOther(nextOf(data.next), cookies);
}

export async function beSignedOut({ database }: PageParts, { viewer, base }: Served) {
  if (viewer.credential?.kind === 'session') await endSession(database, viewer.credential.id);
  return seeOther('/', sessionCookies(base));
}

/** For whoever wanted something that only those who are signed in get. */
export function toSignIn(context: RequestContext) {
  const wanted = context.method === 'POST' ? cameFrom(context) : localPath(context.path);
  return seeOther(`${path}?${new URLSearchParams({ next: wanted })}`);
}

/** Nobody wants to sign in to sign in. */
export function nextOf(path: unknown): string {
  const next = localPath(path);
  return /^\/sign-(in|up|out)\//.test(next) ? '/' : next;
}
