// /lti/: coming from a course of a learning platform (LTI 1.3), and the class that belongs to the course.

import { apiText } from '#common/api-text.ts';
import { Invalid, NotFound } from '#common/errors.ts';
import { isOwnOrigin } from '#rest/csrf.ts';
import { textField, toText } from '#rest/fields.ts';
import { type PreparedResponse, withHeaders } from '#rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '#rest/server-cookie.ts';
import { framedPageHeaders } from '#rest/shared-caching.ts';
import { isLookedAfter } from '../../core/accounts/looked-after.ts';
import { findSignUpRules } from '../../core/accounts/sign-up-rules.ts';
import { addScript } from '../../core/pages/assets.ts';
import { ButtonForm, Form, PostForm, RadioGroup } from '../../core/pages/layout/form.tsx';
import { FormPage, Page } from '../../core/pages/layout/layout.tsx';
import {
  type FeatureDependencies,
  form,
  fromElsewhere,
  type PageContext,
  type PageStart,
  page,
  seeOther,
} from '../../core/pages/page.ts';
import { projectPath } from '../../core/paths.ts';
import { requireSignedIn } from '../../core/viewer/viewer.ts';
import { ConsentField, consentFields, hashConsent } from '../classes/consent.tsx';
import { homePath } from '../classes/path.ts';
import { redirectToNewAccount } from '../linked-accounts/elsewhere-page.tsx';
import {
  findLinkedAccount,
  type LinkedAccount,
  signInWithLinkedAccount,
} from '../linked-accounts/linked-account.ts';
import { type ChallengePurpose, elsewhereSeconds } from '../sign-in/passkeys/challenges.ts';
import { pendingSeconds } from '../sign-in/pending-sign-ins.ts';
import { signInAndRedirect } from '../sign-in/sign-in-page.tsx';
import {
  addPupil,
  type Course,
  type CourseThere,
  enterCourse,
  findCourse,
  type LaunchingPerson,
  listOwnClasses,
  openCourse,
} from './course.ts';
import { LearningPlatform } from './learning-platform.ts';
import sendFormJs from './send-form.js' with { type: 'text' };
import type { LearningPlatformSettings } from './settings.ts';

declare module '../sign-in/passkeys/challenges.ts' {
  interface FeatureChallenges {
    launch: true;
  }
}

declare module '../../core/pages/page.ts' {
  interface FeatureDependencies {
    /** The learning platform from whose courses people come, if there is one. */
    readonly learningPlatform: LearningPlatform | undefined;
  }
  interface PageSettings extends LearningPlatformSettings {}
}

const sendFormScript = addScript(sendFormJs);

const loginPath = '/lti/login/';
const launchPath = '/lti/launch/';
const coursePath = '/lti/course/';
const startedCookie = 'vitrine_launch';
const courseCookie = 'vitrine_course';
const purpose: ChallengePurpose = { kind: 'launch' };

/** The course from which somebody has come. */
interface PendingCourse extends CourseThere {
  readonly subject: string;
}

function requirePlatform({ learningPlatform }: PageContext) {
  if (!learningPlatform) throw new NotFound();
  return learningPlatform;
}

/** Sent with the browser, as LTI names them. */
const hintNames = ['iss', 'login_hint', 'lti_message_hint', 'client_id'];

/** The platform announces a launch; the browser is sent back to it with a challenge. */
async function startLaunch(context: PageContext): Promise<PreparedResponse> {
  const { challenges, origin, request, url } = context;
  const platform = requirePlatform(context);
  const sent = request.isRead ? Object.fromEntries(url.query) : (await request.readBody()).data;
  const hints = Object.fromEntries(
    hintNames.flatMap((name) => (typeof sent[name] === 'string' ? [[name, sent[name]]] : [])),
  );
  if (/^(iframe|frame|embed|object)$/.test(request.headers.get('Sec-Fetch-Dest') ?? ''))
    return showNewWindow(context, hints);
  const { challenge, ticket } = challenges.create(purpose, elsewhereSeconds);
  const address = platform.buildSignInUrl(origin + launchPath, challenge, hints);
  const cookie = { value: ticket, seconds: elsewhereSeconds };
  return seeOther(address, [buildServerCookie(startedCookie, origin, cookie, 'Lax')]);
}

/** Browsers keep no cookies of a page within a page of another site. */
function showNewWindow(context: PageContext, hints: Record<string, string>) {
  const { layout, t } = context;
  const response = context.render(
    <Page title={layout.site.name} isBare>
      <p>
        <a class="button" target="_blank" rel="noopener" href={`${loginPath}?${new URLSearchParams(hints)}`}>
          {t('course.newWindow', { site: layout.site.name })}
        </a>
      </p>
    </Page>,
  );
  return withHeaders(response, {
    'Content-Security-Policy': framedPageHeaders['Content-Security-Policy'],
    // The new window gets another answer at the same address.
    'Cache-Control': 'no-store',
  });
}

/** The browser comes back with a form. */
async function finishLaunch(context: PageContext): Promise<PreparedResponse> {
  const { challenges, origin, request } = context;
  const platform = requirePlatform(context);
  const { data } = await request.readBody();
  const sent = { id_token: toText(data.id_token), state: toText(data.state) };
  if (!isOwnOrigin(request.headers, origin) && !('again' in data)) return sendFromHere(context, sent);
  const challenge = await challenges.use(purpose, readServerCookie(startedCookie, origin, request.headers));
  if (challenge === undefined) throw new Invalid({ non_field_errors: [apiText('signInRefused')] });
  const person = await platform.readAnswer(origin + launchPath, sent, challenge);
  const response = await enter(context, person);
  return withHeaders(response, {}, [buildServerCookie(startedCookie, origin, undefined, 'Lax')]);
}

/** A form that comes from another site comes without our cookies: it is sent once more, from here. */
function sendFromHere(context: PageContext, values: Readonly<Record<string, string>>) {
  const { t } = context;
  return context.render(
    <FormPage title={t('course.goOn')} scripts={[sendFormScript]}>
      <Form action={launchPath} data-send="">
        {Object.entries(values).map(([name, value]) => (
          <input type="hidden" name={name} value={value} />
        ))}
        <input type="hidden" name="again" value="1" />
        <button type="submit">{t('course.goOn')}</button>
      </Form>
    </FormPage>,
  );
}

async function enter(context: PageContext, person: LaunchingPerson): Promise<PreparedResponse> {
  const { accounts, database, layout } = context;
  const course = person.course && (await findCourse(database, person.course.name));
  const existing = await findLinkedAccount(database, person.subject);
  const isMember =
    person.course?.role === 'member' ||
    (existing !== undefined && (await isLookedAfter(database, existing.contributor)));
  if (person.course && !course && isMember) return showNotOpen(context);
  if (course && !existing && isMember)
    await addPupil(database, course, person, findSignUpRules(accounts.signUpOptions, layout.site));
  const account = existing ?? (await findLinkedAccount(database, person.subject));
  const response = account
    ? await signInWith(context, account, person, course)
    : await redirectToNewAccount(
        context,
        person,
        requirePlatform(context).label,
        person.course ? coursePath : '/',
      );
  if (!person.course) return response;
  return withHeaders(response, {}, [buildCourseCookie(context, person.subject, person.course)]);
}

async function signInWith(
  context: PageContext,
  account: LinkedAccount,
  { course: there }: LaunchingPerson,
  course: Course | undefined,
): Promise<PreparedResponse> {
  const { accounts, database } = context;
  const response = await signInAndRedirect(context, there ? coursePath : '/', () =>
    signInWithLinkedAccount(accounts, account),
  );
  // With a second factor still to come it leads elsewhere, and the person enters the class afterwards.
  if (!there || !course || response.headers.get('Location') !== coursePath) return response;
  await enterCourse(database, course, account.contributor, there.role);
  return withHeaders(response, { Location: homePath(course) });
}

function buildCourseCookie(
  { origin, pendingSignIns }: PageContext,
  subject: string,
  course: CourseThere,
): string {
  const value = pendingSignIns.seal('course', { ...course, subject } satisfies PendingCourse);
  return buildServerCookie(courseCookie, origin, { value, seconds: pendingSeconds }, 'Lax');
}

/** The course from which the viewer has come, and its class. */
async function findPending({ database, origin, pendingSignIns, request, viewer }: PageContext) {
  const ticket = readServerCookie(courseCookie, origin, request.headers);
  const pending = pendingSignIns.open<PendingCourse>('course', ticket);
  const account = pending && (await findLinkedAccount(database, pending.subject));
  if (!pending || account?.contributor !== requireSignedIn(viewer)) throw new NotFound();
  return { pending, course: await findCourse(database, pending.name) };
}

function showNotOpen(context: PageContext) {
  const { t } = context;
  return context.render(
    <FormPage title={t('course.notOpen')} status={403}>
      <p>{t('course.askTeacher')}</p>
    </FormPage>,
  );
}

const newClass = 'new';
const courseFields = { class: textField({ label: '', maxLength: 22, isSingleLine: true, required: true }) };

async function showCoursePage(context: PageContext) {
  const { database, formErrors, viewer, t } = context;
  const { pending, course } = await findPending(context);
  if (course)
    return context.render(
      <FormPage title={pending.title}>
        <ButtonForm action={coursePath}>{t('course.goOn')}</ButtonForm>
      </FormPage>,
    );
  if (pending.role !== 'teacher') return showNotOpen(context);
  const classes = await listOwnClasses(database, viewer);
  return context.render(
    <FormPage title={pending.title}>
      <p>{t('course.intro')}</p>
      <PostForm
        action={coursePath}
        fields={{}}
        formErrors={formErrors}
        button={t('course.open')}
        after={
          <>
            <RadioGroup
              name="class"
              legend={t('course.class')}
              choices={[
                { value: newClass, label: t('course.newClass', { title: pending.title }) },
                ...classes.map(({ uuid, title }) => ({ value: uuid, label: title })),
              ]}
              selected={toText(formErrors?.values.class) || newClass}
            />
            <ConsentField formErrors={formErrors} />
          </>
        }
      />
    </FormPage>,
  );
}

async function submitCourse(context: PageContext) {
  const { database, layout, viewer } = context;
  const { pending, course } = await findPending(context);
  if (course) {
    await enterCourse(database, course, requireSignedIn(viewer), pending.role);
    return seeOther(homePath(course));
  }
  if (pending.role !== 'teacher') throw new NotFound();
  const { class: chosen } = await context.readForm({ ...courseFields, ...consentFields });
  const consent = hashConsent(layout.language);
  const collection = await context.transact((write) =>
    openCourse(write, pending, chosen === newClass ? undefined : chosen, consent),
  );
  return seeOther(`${projectPath(collection)}class/`);
}

const isFromElsewhere = true;

export const routes = [
  { ...page(loginPath, 'signIn', fromElsewhere(startLaunch), fromElsewhere(startLaunch)), isFromElsewhere },
  { ...form(launchPath, 'signIn', fromElsewhere(finishLaunch)), isFromElsewhere },
  page(coursePath, 'changeAccount', showCoursePage, submitCourse),
];

export const createDependencies = ({ settings, policy }: PageStart): Partial<FeatureDependencies> => ({
  learningPlatform: settings.ltiPlatform === '' ? undefined : new LearningPlatform(settings, policy),
});
