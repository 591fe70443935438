// /sign-in/elsewhere/: signing in at a service elsewhere, such as that of a school; and a new account for who has none here.

import { apiText } from '../../common/api-text.ts';
import { Invalid, NotFound } from '../../common/errors.ts';
import { authorizeAny } from '../../gallery/permissions.ts';
import { elsewhereSeconds } from '../../gallery/sign-in/challenges.ts';
import {
  findIdentity,
  linkIdentity,
  type ProvenIdentity,
  signInWithIdentity,
} from '../../gallery/sign-in/identity.ts';
import { type NewPerson, pendingSeconds } from '../../gallery/sign-in/pending-sign-ins.ts';
import { signUp, signUpFieldsWithoutPassword, suggestUsername } from '../../gallery/sign-in/sign-up.ts';
import { findSignUpRules } from '../../gallery/sign-in/sign-up-rules.ts';
import { isAnonymous, requireSignedIn } from '../../gallery/viewer.ts';
import type { PreparedResponse } from '../../rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '../../rest/server-cookie.ts';
import { RulesLink } from '../home/site-texts.tsx';
import { PostForm } from '../layout/form.tsx';
import { FormPage, SingleFormPage } from '../layout/layout.tsx';
import { toMailLanguage } from '../messages/languages.ts';
import {
  callbackPath,
  elsewherePath,
  form,
  fromElsewhere,
  linkedPath,
  newPersonPath,
  type PageContext,
  page,
  parseNextPath,
  seeOther,
} from '../page.ts';
import { confirmViewer, findConfirmationFields } from './confirmation.ts';
import { startSession } from './sign-in.tsx';
import { getFormFields, nameSentences } from './sign-up.tsx';

const startedCookie = 'vitrine_elsewhere';
const newPersonCookie = 'vitrine_new_person';

const callbackOf = (origin: string) => origin + callbackPath;

export function requireProvider({ identityProvider }: PageContext) {
  if (!identityProvider) throw new NotFound();
  return identityProvider;
}

/** Where to go, and the cookie by which the answer is known to be for this browser. `owner` links it to their account. */
export async function startElsewhere(context: PageContext, next: string, owner?: number) {
  const { challenges, origin } = context;
  const purpose =
    owner === undefined
      ? ({ kind: 'signInElsewhere' } as const)
      : ({ kind: 'link', contributor: owner } as const);
  const { challenge, ticket } = challenges.create(purpose, elsewhereSeconds);
  const value = [ticket, Buffer.from(next).toString('base64url')].join('.');
  const cookie = buildServerCookie(startedCookie, origin, { value, seconds: elsewhereSeconds }, 'Lax');
  const address = await requireProvider(context).buildStart(callbackOf(origin), challenge);
  return { address, cookie };
}

/** The browser comes back. An answer that comes twice, too late or in another browser is refused. */
async function finishElsewhere(context: PageContext): Promise<PreparedResponse> {
  const { challenges, origin, request, url, viewer } = context;
  const provider = requireProvider(context);
  const ticket = readServerCookie(startedCookie, origin, request.headers);
  const owner = viewer.contributor ?? 0;
  const signIn = await challenges.use({ kind: 'signInElsewhere' }, ticket);
  const challenge = signIn ?? (await challenges.use({ kind: 'link', contributor: owner }, ticket));
  if (challenge === undefined) throw new Invalid({ non_field_errors: [apiText('identityRefused')] });
  const proven = await provider.finish(callbackOf(origin), url.query, challenge);
  const next = parseNextPath(Buffer.from(ticket?.split('.')[3] ?? '', 'base64url').toString());
  const response = signIn ? await enter(context, proven, next) : await link(context, proven, owner);
  response.headers.append('Set-Cookie', buildServerCookie(startedCookie, origin, undefined, 'Lax'));
  return response;
}

async function link({ database }: PageContext, { subject }: ProvenIdentity, owner: number) {
  await linkIdentity(database, owner, subject);
  return seeOther(linkedPath);
}

async function enter(context: PageContext, proven: ProvenIdentity, next: string) {
  const { accounts, database } = context;
  const identity = await findIdentity(database, proven.subject);
  if (identity) return startSession(context, next, () => signInWithIdentity(accounts, identity));
  return redirectToNewAccount(context, proven, requireProvider(context).label, next);
}

/** Who has proved an identity that is linked to nobody gets an account for it, or links it to their own. */
export async function redirectToNewAccount(
  { origin, pendingSignIns }: PageContext,
  { subject, loadNames }: ProvenIdentity,
  label: string,
  next: string,
) {
  const value = pendingSignIns.createTicketForNewPerson({ subject, label, next, ...(await loadNames()) });
  return seeOther(newPersonPath, [
    buildServerCookie(newPersonCookie, origin, { value, seconds: pendingSeconds }, 'Lax'),
  ]);
}

const findNewPerson = ({ pendingSignIns, origin, request }: PageContext): NewPerson | undefined =>
  pendingSignIns.findNewPerson(readServerCookie(newPersonCookie, origin, request.headers));

/** Who has signed in elsewhere chooses a username, as the site's kind of sign-up allows it. */
async function showNewPersonPage(context: PageContext) {
  const { accounts, formErrors, layout, t, rich } = context;
  const person = findNewPerson(context);
  if (!person) return seeOther('/sign-in/');
  const { label } = person;
  if (layout.name !== undefined)
    return context.render(
      <SingleFormPage
        title={t('linked.link', { label })}
        note={rich('elsewhere.link', { label: <bdi>{label}</bdi>, name: <bdi>{layout.name}</bdi> })}
        fields={await findConfirmationFields(context)}
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
  const oldCookie = buildServerCookie(newPersonCookie, origin, undefined, 'Lax');
  if (!isAnonymous(viewer)) {
    authorizeAny(viewer, 'changeAccount');
    await confirmViewer(context);
    await linkIdentity(database, requireSignedIn(viewer), person.subject);
    return seeOther(person.next, [oldCookie]);
  }
  const rules = findSignUpRules(accounts.signUpOptions, layout.site);
  const values = { ...(await context.readForm(signUpFieldsWithoutPassword)), subject: person.subject };
  const language = toMailLanguage(layout.language.code);
  const { id } = await signUp(accounts, rules, values, { client: request.client, language });
  const { cookies } = await authenticator.startSession(request.headers, origin, { id });
  return seeOther(person.next === '/' ? '/new/?welcome' : person.next, [...cookies, oldCookie]);
}

export const elsewhereRoutes = [
  page(elsewherePath, 'signIn', async (context) => {
    const next = parseNextPath(context.url.query.get('next'));
    const { address, cookie } = await startElsewhere(context, next);
    return seeOther(address, [cookie]);
  }),
  page(callbackPath, 'signIn', fromElsewhere(finishElsewhere)),
  page(newPersonPath, 'signIn', showNewPersonPage),
  form(newPersonPath, 'signIn', submitNewPerson),
];
