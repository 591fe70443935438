// /sign-in/elsewhere/: signing in at a service elsewhere, such as that of a school; and a new account for who has none here.

import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound, SignInServiceDown } from '#common/errors.ts';
import { type PreparedResponse, withHeaders } from '#rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '#rest/server-cookie.ts';
import { findSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import type { Write } from '../../core/changes/transact.ts';
import { PostForm } from '../../core/pages/layout/form.tsx';
import { FormPage, SingleFormPage } from '../../core/pages/layout/layout.tsx';
import { useLanguage } from '../../core/pages/layout/layout-data.ts';
import {
  callbackPath,
  elsewherePath,
  fromElsewhere,
  newPersonPath,
  type PageContext,
  page,
  parseNextPath,
  type Sections,
  seeOther,
} from '../../core/pages/page.ts';
import { RulesLink } from '../../core/pages/site-texts.tsx';
import { toMailLanguage } from '../../core/texts/languages.ts';
import { authorizeAny } from '../../core/viewer/permissions.ts';
import { isAnonymous, requireSignedIn } from '../../core/viewer/viewer.ts';
import { findPasswordField } from '../sign-in/confirmation.ts';
import { type ChallengePurpose, elsewhereSeconds } from '../sign-in/passkeys/challenges.ts';
import { pendingSeconds } from '../sign-in/pending-sign-ins.ts';
import { confirmPasswordOrSession, optionalConfirmationFields } from '../sign-in/sign-in.ts';
import { deleteNewPersonCookie, newPersonCookie, signInAndRedirect } from '../sign-in/sign-in-page.tsx';
import { newPersonFields, signUp, suggestUsername } from '../sign-in/sign-up.ts';
import { getFormFields, nameSentences } from '../sign-in/sign-up-page.tsx';
import {
  findLinkedAccount,
  insertLinkedAccount,
  linkAccount,
  type PersonNames,
  type ProvenPerson,
  signInWithLinkedAccount,
} from './linked-account.ts';

/** Somebody who has signed in elsewhere and has no account here. */
interface NewPerson extends PersonNames {
  readonly subject: string;
  /** The name of the site elsewhere. */
  readonly label: string;
  /** Where they go afterwards. */
  readonly next: string;
}

const startedCookie = 'vitrine_elsewhere';
const callbackOf = (origin: string) => origin + callbackPath;

export function requireSignInService({ signInService }: PageContext) {
  if (!signInService) throw new NotFound();
  return signInService;
}

/** Where to go, and the cookie by which the answer is known to be for this browser. `owner` links it to their account. */
export async function startElsewhere(context: PageContext, next: string, owner?: number) {
  const { challenges, origin } = context;
  const purpose: ChallengePurpose =
    owner === undefined ? { kind: 'signInElsewhere' } : { kind: 'link', contributor: owner };
  const { challenge, ticket } = challenges.create(purpose, elsewhereSeconds);
  const value = [ticket, Buffer.from(next).toString('base64url')].join('.');
  const cookie = buildServerCookie(startedCookie, origin, { value, seconds: elsewhereSeconds }, 'Lax');
  const address = await requireSignInService(context).buildSignInUrl(callbackOf(origin), challenge);
  return { address, cookie };
}

/** The browser comes back. An answer that comes twice, too late or in another browser is refused. */
async function finishElsewhere(context: PageContext): Promise<PreparedResponse> {
  const { accounts, challenges, origin, request, url, viewer } = context;
  const service = requireSignInService(context);
  const ticket = readServerCookie(startedCookie, origin, request.headers);
  const owner = viewer.contributor ?? 0;
  const signIn = await challenges.use({ kind: 'signInElsewhere' }, ticket);
  const challenge = signIn ?? (await challenges.use({ kind: 'link', contributor: owner }, ticket));
  if (challenge === undefined) throw new Invalid({ non_field_errors: [apiText('signInRefused')] });
  // Each answer costs the service a request: one address gets only so many wrong ones.
  const attempt = await accounts.attempts.begin({
    name: `elsewhere\n${challenge}`,
    contributor: undefined,
    client: request.client,
  });
  const proven = await service.readAnswer(callbackOf(origin), url.query, challenge).catch(async (error) => {
    // A service that is down must not use up what its people have left for passwords.
    if (error instanceof SignInServiceDown) await accounts.attempts.cancel(attempt);
    throw error;
  });
  await accounts.attempts.cancel(attempt);
  // It stands behind the three parts of the ticket.
  const next = parseNextPath(Buffer.from(ticket?.split('.')[3] ?? '', 'base64url').toString());
  const response = signIn ? await enter(context, proven, next) : await link(context, proven, owner, next);
  return withHeaders(response, {}, [buildServerCookie(startedCookie, origin, undefined, 'Lax')]);
}

async function link({ database }: PageContext, { subject }: ProvenPerson, owner: number, next: string) {
  await linkAccount(database, owner, subject);
  return seeOther(next);
}

async function enter(context: PageContext, proven: ProvenPerson, next: string) {
  const { accounts, database } = context;
  const account = await findLinkedAccount(database, proven.subject);
  if (account) return signInAndRedirect(context, next, () => signInWithLinkedAccount(accounts, account));
  return redirectToNewAccount(context, proven, requireSignInService(context).label, next);
}

/** For somebody who is linked to nobody here yet: they get an account, or link their own. */
export async function redirectToNewAccount(
  { origin, pendingSignIns }: PageContext,
  { subject, loadNames }: ProvenPerson,
  label: string,
  next: string,
) {
  const value = pendingSignIns.seal('new person', {
    subject,
    label,
    next,
    ...(await loadNames()),
  } satisfies NewPerson);
  return seeOther(newPersonPath, [
    buildServerCookie(newPersonCookie, origin, { value, seconds: pendingSeconds }, 'Lax'),
  ]);
}

const findNewPerson = ({ pendingSignIns, origin, request }: PageContext): NewPerson | undefined =>
  pendingSignIns.open<NewPerson>('new person', readServerCookie(newPersonCookie, origin, request.headers));

/** After signing in elsewhere for the first time: a username, as the site's kind of sign-up allows it. */
async function showNewPersonPage(context: PageContext) {
  const { accounts, formErrors, layout, t, rich } = context;
  const person = findNewPerson(context);
  if (!person) return seeOther('/sign-in/');
  const { label } = person;
  if (layout.name !== undefined)
    return context.render(
      <SingleFormPage
        title={t('linked.link', { label })}
        note={rich('elsewhere.link', {
          label: <bdi>{label}</bdi>,
          there: <bdi>{person.username || person.first_name || person.subject.replace(/^\S+ /, '')}</bdi>,
          name: <bdi>{layout.name}</bdi>,
        })}
        // Also of somebody who has just signed in here: another person may have signed in there.
        fields={await findPasswordField(context)}
        action={newPersonPath}
        button={t('linked.link', { label })}
      />,
    );
  const rules = findSignUpRules(accounts.signUpOptions, layout.site);
  const toOwnAccount = rich('elsewhere.haveAccount', {
    label: <bdi>{label}</bdi>,
    link: (text) => <a href={`/sign-in/?${new URLSearchParams({ next: newPersonPath })}`}>{text}</a>,
  });
  if (rules.policy === 'closed')
    return context.render(
      <FormPage title={t('elsewhere.noAccount', { label })} status={403}>
        <p>{t('signIn.closed')}</p>
        <p>{toOwnAccount}</p>
      </FormPage>,
    );
  const { password: _, ...fields } = getFormFields(
    rules.policy === 'invitation',
    accounts.sendsMail,
    layout.language,
  );
  const suggested = {
    username: suggestUsername(person.username),
    ...(rules.shownName === 'full' && { first_name: person.first_name, last_name: person.last_name }),
  };
  return context.render(
    <FormPage title={t('signUp.title')}>
      <p>{t('elsewhere.intro', { label })}</p>
      <p>{t(nameSentences[rules.shownName])}</p>
      <RulesLink />
      <PostForm
        action={newPersonPath}
        fields={fields}
        values={suggested}
        formErrors={formErrors}
        button={t('signUp.title')}
      />
      <p>{toOwnAccount}</p>
    </FormPage>,
  );
}

async function submitNewPerson(context: PageContext) {
  const { accounts, authenticator, database, layout, origin, request, viewer } = context;
  const person = findNewPerson(context);
  if (!person) return seeOther('/sign-in/');
  const oldCookie = deleteNewPersonCookie(origin);
  if (!isAnonymous(viewer)) {
    authorizeAny(viewer, 'changeAccount');
    const { password } = await context.readForm(optionalConfirmationFields);
    await confirmPasswordOrSession(accounts, viewer, password, request.client);
    await linkAccount(database, requireSignedIn(viewer), person.subject);
    return seeOther(person.next, [oldCookie]);
  }
  const rules = findSignUpRules(accounts.signUpOptions, layout.site);
  const values = {
    ...(await context.readForm(newPersonFields)),
    link: (write: Write, contributor: number) => insertLinkedAccount(write, contributor, person.subject),
  };
  const language = toMailLanguage(layout.language.code);
  const { id } = await signUp(accounts, rules, values, { client: request.client, language });
  const { cookies } = await authenticator.startSession(request.headers, origin, { id });
  return seeOther(person.next === '/' ? '/new/?welcome' : person.next, [...cookies, oldCookie]);
}

/** A link: our Content-Security-Policy lets no form lead to another site, not even by a redirect. */
function SignInElsewhere({ label, next }: { label: string; next: string }) {
  return (
    <p>
      <a class="button" href={`${elsewherePath}?${new URLSearchParams({ next })}`}>
        {useLanguage().t('signIn.elsewhere', { label })}
      </a>
    </p>
  );
}

export const sections: Sections = {
  signInElsewhere: async ({ signInService }, next) =>
    signInService && <SignInElsewhere label={signInService.label} next={next} />,
};

export const elsewhereRoutes = [
  page(elsewherePath, 'signIn', async (context) => {
    const next = parseNextPath(context.url.query.get('next'));
    const { address, cookie } = await startElsewhere(context, next);
    return seeOther(address, [cookie]);
  }),
  page(callbackPath, 'signIn', fromElsewhere(finishElsewhere)),
  page(newPersonPath, 'signIn', showNewPersonPage, submitNewPerson),
];
