// /lti/: coming from a course of a learning platform (LTI 1.3), and the class that belongs to the course.

import { apiText } from '../../common/api-text.ts';
import { Invalid, NotFound } from '../../common/errors.ts';
import { textField, toText } from '../../common/fields.ts';
import {
  addPupil,
  type Course,
  enterCourse,
  findCourse,
  type Launch,
  linkCourse,
  listOwnClasses,
  makeClass,
} from '../../gallery/classes/course.ts';
import { projectPath } from '../../gallery/paths.ts';
import { elsewhereSeconds } from '../../gallery/sign-in/challenges.ts';
import { findIdentity, signInWithIdentity } from '../../gallery/sign-in/identity.ts';
import { type PendingCourse, pendingSeconds } from '../../gallery/sign-in/pending-sign-ins.ts';
import { findSignUpRules } from '../../gallery/sign-in/sign-up-rules.ts';
import { requireSignedIn } from '../../gallery/viewer.ts';
import { isOwnOrigin } from '../../rest/csrf.ts';
import type { PreparedResponse } from '../../rest/prepared-response.ts';
import { buildServerCookie, readServerCookie } from '../../rest/server-cookie.ts';
import { redirectToNewAccount } from '../account/elsewhere.tsx';
import { startSession } from '../account/sign-in.tsx';
import { sendFormScript } from '../assets.ts';
import { ButtonForm, Form, PostForm, RadioGroup } from '../layout/form.tsx';
import { FormPage, Page } from '../layout/layout.tsx';
import { form, fromElsewhere, type PageContext, page, seeOther } from '../page.ts';
import { ConsentField, consentFields, hashConsent } from './consent.tsx';

const loginPath = '/lti/login/';
const launchPath = '/lti/launch/';
const coursePath = '/lti/course/';
const startedCookie = 'vitrine_launch';
const courseCookie = 'vitrine_course';
const purpose = { kind: 'launch' } as const;

function requirePlatform({ learningPlatform }: PageContext) {
  if (!learningPlatform) throw new NotFound();
  return learningPlatform;
}

/** What a platform sends with the browser, as LTI names it. */
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
  const address = platform.buildStart(origin + launchPath, challenge, hints);
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
  const policy = response.headers.get('Content-Security-Policy') ?? '';
  response.headers.set(
    'Content-Security-Policy',
    policy.replace("frame-ancestors 'none'", 'frame-ancestors *'),
  );
  return response;
}

/** The browser comes back with a form. */
async function finishLaunch(context: PageContext): Promise<PreparedResponse> {
  const { challenges, origin, request } = context;
  const platform = requirePlatform(context);
  const { data } = await request.readBody();
  const sent = { id_token: toText(data.id_token), state: toText(data.state) };
  if (!isOwnOrigin(request.headers, origin)) return sendFromHere(context, sent);
  const challenge = await challenges.use(purpose, readServerCookie(startedCookie, origin, request.headers));
  if (challenge === undefined) throw new Invalid({ non_field_errors: [apiText('identityRefused')] });
  const launch = await platform.finish(origin + launchPath, sent, challenge);
  const response = await enter(context, launch);
  response.headers.append('Set-Cookie', buildServerCookie(startedCookie, origin, undefined, 'Lax'));
  return response;
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
        <button type="submit">{t('course.goOn')}</button>
      </Form>
    </FormPage>,
  );
}

async function enter(context: PageContext, launch: Launch): Promise<PreparedResponse> {
  const { accounts, database, layout } = context;
  const { course: sent, subject } = launch;
  const course = sent && (await findCourse(database, sent.name));
  if (sent?.role === 'member') {
    if (!course) return showNotOpen(context);
    if (!(await findIdentity(database, subject)))
      await addPupil(database, course, launch, findSignUpRules(accounts.signUpOptions, layout.site));
  }
  const identity = await findIdentity(database, subject);
  const response = identity
    ? await startSession(context, await findNextPath(context, launch, course, identity.contributor), () =>
        signInWithIdentity(accounts, identity),
      )
    : await redirectToNewAccount(context, launch, requirePlatform(context).label, sent ? coursePath : '/');
  if (sent) response.headers.append('Set-Cookie', buildCourseCookie(context, { ...sent, subject }));
  return response;
}

/** The class of the course, which the person enters; or where a teacher chooses one. */
async function findNextPath(
  { database }: PageContext,
  { course: sent }: Launch,
  course: Course | undefined,
  contributor: number,
) {
  if (!sent) return '/';
  if (!course) return coursePath;
  await enterCourse(database, course, contributor, sent.role);
  return projectPath(course);
}

function buildCourseCookie({ origin, pendingSignIns }: PageContext, course: PendingCourse): string {
  const value = pendingSignIns.createTicketForCourse(course);
  return buildServerCookie(courseCookie, origin, { value, seconds: pendingSeconds }, 'Lax');
}

/** The course from which the viewer has come, and its class. */
async function findPending({ database, origin, pendingSignIns, request, viewer }: PageContext) {
  const pending = pendingSignIns.findCourse(readServerCookie(courseCookie, origin, request.headers));
  const identity = pending && (await findIdentity(database, pending.subject));
  if (!pending || identity?.contributor !== requireSignedIn(viewer)) throw new NotFound();
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

/** A course of which somebody has chosen the class meanwhile keeps it. */
async function submitCourse(context: PageContext) {
  const { database, layout, viewer } = context;
  const { pending, course } = await findPending(context);
  if (course) {
    await enterCourse(database, course, requireSignedIn(viewer), pending.role);
    return seeOther(projectPath(course));
  }
  if (pending.role !== 'teacher') throw new NotFound();
  const { class: chosen } = await context.readForm({ ...courseFields, ...consentFields });
  const consent = hashConsent(layout.language);
  const made = await context.transact(async (write) => {
    const found = chosen === newClass ? await makeClass(write, pending.title) : { uuid: chosen };
    return linkCourse(write, pending.name, { uuid: found.uuid }, consent);
  });
  return seeOther(`${projectPath(made)}class/`);
}

const isFromElsewhere = true;

export const courseRoutes = [
  page(loginPath, 'signIn', fromElsewhere(startLaunch)),
  { ...form(loginPath, 'signIn', fromElsewhere(startLaunch)), isFromElsewhere },
  { ...form(launchPath, 'signIn', fromElsewhere(finishLaunch)), isFromElsewhere },
  page(coursePath, 'changeCollection', showCoursePage),
  form(coursePath, 'changeCollection', submitCourse),
];
