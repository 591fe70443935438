// Signing in with a passkey, from the button on /sign-in/.

import { signInWithPasskey } from '../../gallery/sign-in/passkey-sign-in.ts';
import { lacksSecondFactor } from '../../gallery/sign-in/requirement.ts';
import { buildRequestOptions, toRelyingParty } from '../../gallery/sign-in/webauthn.ts';
import type { PageContext, PageDependencies } from '../page-context.ts';
import { parseNextPath, secondFactorPath, seeOther } from '../redirects.ts';
import { deleteTicketCookie, readPasskeyResponse, respondWithOptions } from './passkey-form.tsx';

export async function submitSignInOptions({ challenges }: PageDependencies, context: PageContext) {
  const challenge = challenges.create({ kind: 'signIn' });
  const options = buildRequestOptions(toRelyingParty(context.origin), challenge.challenge);
  return respondWithOptions(context, challenge, options);
}

export async function submitPasskeySignIn(
  { accounts, challenges, authenticator }: PageDependencies,
  context: PageContext,
) {
  const { request, origin } = context;
  const account = await signInWithPasskey({ ...accounts, challenges }, await readPasskeyResponse(context));
  const { cookies } = await authenticator.startSession(request.headers, origin, account);
  const { next } = (await request.readBody()).data;
  const mustSetUp = await lacksSecondFactor(accounts, accounts.database, account.id);
  return seeOther(mustSetUp ? secondFactorPath : parseNextPath(next), [
    ...cookies,
    deleteTicketCookie(origin),
  ]);
}
