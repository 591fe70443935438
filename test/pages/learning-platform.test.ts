// Coming from a course of a learning platform (LTI 1.3).

import { expect, test } from 'bun:test';
import { openBrowser, openWindow } from '../support/browser.ts';
import { closeLater } from '../support/closing.ts';
import { onBothDatabases, onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import {
  type AccountThere,
  makeToken,
  newKey,
  TestProvider,
  type TokenParts,
} from '../support/identity-provider.ts';
import { makePasskey, usePasskey } from '../support/passkeys.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { vitrine } from '../support/server.ts';
import { ada, contributor, dump, project, type Site, siteOn } from '../support/site.ts';

const platform = 'https://moodle.school.example';
const clientId = 'gallery';
const roleOf = (name: string) => `http://purl.imsglobal.org/vocab/lis/v2/membership#${name}`;
const claim = (name: string) => `https://purl.imsglobal.org/spec/lti/claim/${name}`;

const teacher = { sub: 'teacher-1', roles: [roleOf('Instructor')], preferred_username: 'M. Okafor' };
const pupil = { sub: 'pupil-1', roles: [roleOf('Learner')], given_name: 'Noor', family_name: 'Haddad' };
const robotics = { id: 'course-7', title: 'Robotics 7b', label: 'R7b' };

const gallery = dump(ada, contributor(2, 'zoe'), project(1));
const redirectOf = (response: Response) => [response.status, response.headers.get('Location')];

type Somebody = AccountThere & { readonly roles: readonly string[] };

class TestPlatform {
  readonly #keys = new TestProvider();
  loginUrl = `${platform}/mod/lti/auth.php`;
  change: (parts: TokenParts) => void = () => {};

  get environment(): Record<string, string> {
    return {
      VITRINE_LTI_PLATFORM: platform,
      VITRINE_LTI_CLIENT_ID: clientId,
      VITRINE_LTI_LOGIN_URL: this.loginUrl,
      VITRINE_LTI_KEYS_URL: `${this.#keys.issuer}/keys`,
      VITRINE_LTI_DEPLOYMENTS: 'Dep-A,3',
      VITRINE_LTI_LABEL: 'Riverside Moodle',
      VITRINE_WEBHOOK_ALLOW_NETWORKS: '127.0.0.0/8',
    };
  }

  /** The first step, and what the platform puts into the form with which the browser comes back. */
  async begin({ browser }: Person, { roles, ...somebody }: Somebody, context: object | undefined = robotics) {
    const hints = { iss: platform, login_hint: somebody.sub, client_id: clientId, lti_message_hint: 'm1' };
    const started = await browser.get(`/lti/login/?${new URLSearchParams(hints)}`);
    const address = new URL(started.headers.get('Location') ?? 'x:');
    expect(address.origin + address.pathname).toBe(this.loginUrl);
    const asked = Object.fromEntries(address.searchParams);
    expect(asked).toMatchObject({
      response_type: 'id_token',
      response_mode: 'form_post',
      redirect_uri: 'http://gallery.example/lti/launch/',
      login_hint: somebody.sub,
      lti_message_hint: 'm1',
    });
    return this.makeForm(asked, { roles, ...somebody }, context);
  }

  /** With which the platform sends the browser to the site. */
  makeForm(asked: Record<string, string>, { roles, ...somebody }: Somebody, context: object | undefined) {
    const now = Math.floor(Date.now() / 1000);
    const parts: TokenParts = {
      header: { alg: 'RS256', kid: 'key 1' },
      claims: {
        iss: platform,
        aud: clientId,
        iat: now,
        exp: now + 300,
        nonce: asked.nonce,
        ...somebody,
        [claim('message_type')]: 'LtiResourceLinkRequest',
        [claim('version')]: '1.3.0',
        [claim('deployment_id')]: 'Dep-A',
        [claim('roles')]: roles,
        ...(context && { [claim('context')]: context }),
      },
      key: this.#keys.keys.privateKey,
    };
    this.change(parts);
    return { id_token: makeToken(parts), state: asked.state ?? '' };
  }

  /** All steps, in the browser of the person. */
  async launch(someone: Person, somebody: Somebody, context?: object): Promise<Response> {
    const form = await this.begin(someone, somebody, context);
    // Browsers send no cookies with a form of another site.
    const outside = await visitor(someone.site).send('/lti/launch/', form, { Origin: platform });
    const { body } = (await readPage(outside)).press('Go on');
    return someone.browser.send('/lti/launch/', body, { Origin: 'http://gallery.example' });
  }
}

async function open(
  kind: 'SQLite' | 'PostgreSQL',
  environment: Record<string, string> = {},
  moodle = new TestPlatform(),
) {
  const site = await siteOn(kind, { dump: gallery, environment: { ...moodle.environment, ...environment } });
  return { moodle, site };
}

/** A teacher with a new account, who has opened a new class for the course. */
async function openClass(moodle: TestPlatform, site: Site) {
  const browser = visitor(site);
  expect(redirectOf(await moodle.launch(browser, teacher))).toEqual([303, '/sign-in/elsewhere/new/']);
  const signedUp = await browser.submit('/sign-in/elsewhere/new/', 'Sign up');
  expect(redirectOf(signedUp)).toEqual([303, '/lti/course/']);
  expect((await browser.submit('/lti/course/', 'Open the class')).status).toBe(400);
  const opened = await browser.submit('/lti/course/', 'Open the class', { consent: 'yes' });
  const path = opened.headers.get('Location')?.replace(/class\/$/, '') ?? '';
  return { browser, path, home: await homeOf(browser, path) };
}

/** Where the people of the class at this path come in. */
async function homeOf(person: Person, path: string): Promise<string> {
  const { id } = (await (await person.browser.get(`${path}?format=json`)).json()) as { id: number };
  return `/my-class/?class=${id}`;
}

onBothDatabases((kind) => {
  test('the first teacher of a course opens its class; then pupils are members, each with an account of the class', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const early = await moodle.launch(visitor(site), pupil);
    expect([early.status, (await readPage(early)).heading]).toEqual([403, 'Your class isn’t open here yet']);

    const { browser, path, home } = await openClass(moodle, site);
    expect((await browser.open(path)).text).toContain('Robotics 7b');
    expect((await browser.open('/account/linked/')).text).toContain('moodle.school.example');
    const noor = visitor(site);
    expect(redirectOf(await moodle.launch(noor, pupil))).toEqual([303, home]);
    expect((await noor.browser.get(path)).status).toBe(200);
    const people = (await browser.open(`${path}class/`)).text;
    expect(people).toMatch(/robotics-7b-[0-9a-f]{6}/);
    expect(people).not.toContain('Noor');
    // The same pupil the next time, and another beside.
    expect(redirectOf(await moodle.launch(visitor(site), pupil))).toEqual([303, home]);
    await moodle.launch(visitor(site), { ...pupil, sub: 'pupil-2' });
    expect((await browser.open(`${path}class/`)).text).toContain('2 accounts that the class looks after');
    expect(redirectOf(await moodle.launch(visitor(site), teacher))).toEqual([303, home]);

    const { out } = await vitrine('export', '-', '--database', site.address);
    expect(out).toContain(
      JSON.stringify({ name: JSON.stringify([platform, 'Dep-A', 'course-7']) }).slice(1, -1),
    );
    expect(
      out.match(/"action":"consented","project"/g) ?? out.match(/"type":"decision"[^\n]*"consented"/g),
    ).toHaveLength(3);
  });

  test('names of pupils are kept where the site shows full names', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open', VITRINE_NAMES: 'full' });
    const { browser, path } = await openClass(moodle, site);
    await moodle.launch(visitor(site), { ...pupil, preferred_username: 'noor.h' });
    expect((await browser.open(`${path}class/`)).text).toContain('noor.h');
    expect((await vitrine('export', '-', '--database', site.address)).out).toContain('"last_name":"Haddad"');
  });

  test('a teacher with an account here links it, and takes a class that there is', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'closed' });
    const [admin, zoe] = [await person(site, 'ada', { role: 'admin' }), await person(site, 'zoe')];
    const made = await admin.submit('/moderation/classes/', 'Make the class', {
      title: 'Clay',
      teacher: 'zoe',
    });
    const path = made.headers.get('Location')?.replace(/class\/$/, '') ?? '';
    expect(redirectOf(await moodle.launch(zoe, teacher))).toEqual([303, '/sign-in/elsewhere/new/']);
    const linked = await zoe.submit('/sign-in/elsewhere/new/', 'Link your account at Riverside Moodle');
    expect(redirectOf(linked)).toEqual([303, '/lti/course/']);
    const uuid = path.split('/')[2] ?? '';
    const opened = await zoe.submit('/lti/course/', 'Open the class', { class: uuid, consent: 'yes' });
    expect(redirectOf(opened)).toEqual([303, `${path}class/`]);
    expect(redirectOf(await moodle.launch(visitor(site), pupil))).toEqual([303, await homeOf(zoe, path)]);
  });
});

/** Of the only pupil on the page. */
const username = ({ text }: { text: string }) => /robotics-7b-[0-9a-f]{6}/.exec(text)?.[0] ?? '';

const set = (name: string, value: unknown) => (parts: TokenParts) => {
  parts.claims[name] = value;
};

/** The last ones are signed by the platform, so that the operator learns of them. */
const refusedTokens: Record<string, (parts: TokenParts) => void> = {
  'no signature': ({ header }) => {
    header.alg = 'none';
  },
  'another key': (parts) => {
    parts.key = newKey().privateKey;
  },
  'another audience': set('aud', 'elsewhere'),
  'another platform': set('iss', 'https://moodle.other.example'),
  'an earlier nonce': set('nonce', 'earlier'),
  'an end that has passed': (parts) => set('exp', Math.floor(Date.now() / 1000) - 60)(parts),
  'no person': set('sub', undefined),
  'another message': set(claim('message_type'), 'LtiDeepLinkingRequest'),
  'another version': set(claim('version'), '1.1'),
  'another installation': set(claim('deployment_id'), 'dep-a'),
  'no installation': set(claim('deployment_id'), undefined),
};

onOneDatabase((kind) => {
  test('a launch that is broken, comes twice or in another browser enters nobody', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    await openClass(moodle, site);
    for (const [name, change] of Object.entries(refusedTokens)) {
      moodle.change = change;
      const browser = visitor(site);
      const response = await moodle.launch(browser, teacher);
      const status = /message|version|installation/.test(name) ? 503 : 400;
      expect([name, response.status, (await browser.browser.get('/mine/')).status]).toEqual([
        name,
        status,
        303,
      ]);
    }
    moodle.change = () => {};
    const [one, other] = [visitor(site), visitor(site)];
    const sent = await moodle.begin(one, teacher);
    const send = ({ browser }: Person, values = sent) =>
      browser.send('/lti/launch/', values, { Origin: 'http://gallery.example' });
    expect((await send(other)).status).toBe(400);
    expect((await send(one, { ...sent, state: 'x' })).status).toBe(400);
    expect((await send(one)).status).toBe(400);
    const again = await moodle.begin(one, teacher);
    expect((await send(one, again)).status).toBe(303);
    expect((await send(one, again)).status).toBe(400);
    for (const hints of [
      '',
      '?iss=https://elsewhere.example&login_hint=1',
      `?iss=${platform}&login_hint=1&client_id=x`,
    ])
      expect((await visitor(site).browser.get(`/lti/login/${hints}`)).status).toBe(400);
  });

  test('who only helps in a course, and who comes from none, gets no part in the class', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { path } = await openClass(moodle, site);
    for (const [sub, roles] of [
      ['mentor', [roleOf('Mentor')]],
      ['assistant', [roleOf('Instructor'), roleOf('Instructor#TeachingAssistant').replace('#', '/')]],
    ] as const) {
      const helper = visitor(site);
      expect(redirectOf(await moodle.launch(helper, { sub, roles }))).toEqual([
        303,
        '/sign-in/elsewhere/new/',
      ]);
      await helper.submit('/sign-in/elsewhere/new/', 'Sign up', { username: sub });
      expect([
        sub,
        (await helper.browser.get('/mine/')).status,
        (await helper.browser.get(path)).status,
      ]).toEqual([sub, 200, 404]);
    }
    expect(redirectOf(await moodle.launch(visitor(site), teacher, {}))).toEqual([303, '/']);
  });

  test('a pupil stays one, whatever the platform says', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { browser, path, home } = await openClass(moodle, site);
    await moodle.launch(visitor(site), pupil);
    const risen = { ...pupil, roles: teacher.roles };
    const noor = visitor(site);
    expect(redirectOf(await moodle.launch(noor, risen))).toEqual([303, home]);
    expect((await noor.browser.get(`${path}class/`)).status).toBe(404);
    // Nor does a course without a class become theirs.
    expect((await moodle.launch(noor, risen, { id: 'course-8', title: 'Club' })).status).toBe(403);
    expect((await noor.browser.get('/lti/course/')).status).toBe(403);
    const forced = await noor.send('/lti/course/', { class: 'new', consent: 'yes' });
    expect(forced.status).toBe(403);
    await vitrine(
      'user',
      'disable',
      username(await browser.open(`${path}class/`)),
      '--database',
      site.address,
    );
    const disabled = await moodle.launch(visitor(site), pupil);
    expect([disabled.status, (await readPage(disabled)).text]).toEqual([
      403,
      expect.stringContaining('This account is disabled.'),
    ]);
  });

  test('of two teachers who open a course at once, both get the same class', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const teachers = [visitor(site), visitor(site)];
    for (const [index, someone] of teachers.entries()) {
      await moodle.launch(someone, { ...teacher, sub: `teacher-${index}` });
      await someone.submit('/sign-in/elsewhere/new/', 'Sign up', { username: `teacher${index}` });
    }
    const opened = await Promise.all(
      teachers.map((someone) => someone.submit('/lti/course/', 'Open the class', { consent: 'yes' })),
    );
    const [one, other] = opened.map(redirectOf);
    expect(one?.[0]).toBe(303);
    expect(other).toEqual(one);
    for (const [index, someone] of teachers.entries()) {
      const launched = await moodle.launch(someone, { ...teacher, sub: `teacher-${index}` });
      const home = await someone.open(launched.headers.get('Location') ?? '');
      expect([index, home.hasLink(String(one?.[1]))]).toEqual([index, true]);
    }
    const twice = await Promise.all(
      [visitor(site), visitor(site)].map((someone) => moodle.launch(someone, pupil)),
    );
    expect(twice.map(({ status }) => status)).toEqual([303, 303]);
  });

  test('a teacher with a second factor enters the class after it, and not before', async () => {
    const { moodle, site } = await open(kind, { VITRINE_SIGN_UP: 'open' });
    const { path, home } = await openClass(moodle, site);
    const second = { ...teacher, sub: 'teacher-2' };
    const someone = visitor(site);
    await moodle.launch(someone, second, {});
    await someone.submit('/sign-in/elsewhere/new/', 'Sign up', { username: 'second' });
    const device = await makePasskey(someone);
    await someone.submit('/account/second-step/', 'Turn on');
    const next = visitor(site);
    const launched = await moodle.launch(next, second);
    expect(redirectOf(launched)).toEqual([303, '/sign-in/second-step/?next=%2Flti%2Fcourse%2F']);
    expect((await someone.browser.get(path)).status).toBe(404);
    await usePasskey(next, device, { path: '/sign-in/second-step/passkey/' });
    expect(redirectOf(await next.submit('/lti/course/', 'Go on'))).toEqual([303, home]);
    expect((await next.browser.get(`${path}class/`)).status).toBe(200);
  });

  test('a page within the platform opens a new window', async () => {
    const { site } = await open(kind);
    const hints = new URLSearchParams({
      iss: platform,
      login_hint: '1',
      target_link_uri: 'http://x.example/',
    });
    const response = await visitor(site).browser.get(`/lti/login/?${hints}`, { 'Sec-Fetch-Dest': 'iframe' });
    expect(response.headers.get('Content-Security-Policy')).toContain('frame-ancestors *');
    expect(response.headers.get('Cache-Control')).toBe('no-store');
    const top = await visitor(site).browser.get(`/lti/login/?${hints}`);
    expect(top.headers.get('Location')).toStartWith(platform);
    const page = await readPage(response);
    expect(page.attributesOf('a[target=_blank]', 'href')).toEqual([
      `/lti/login/?${new URLSearchParams({ iss: platform, login_hint: '1' })}`,
    ]);
    expect(page.document.querySelectorAll('form').length).toBe(0);
  });

  test('a platform that is only half described stops the start, and without one there are no such pages', async () => {
    const start = await vitrine('serve', '--database', ':memory:', '--port', '0', '--lti-platform', platform);
    expect(start).toMatchObject({
      code: 2,
      error: expect.stringContaining('A learning platform needs all of'),
    });
    const site = await siteOn(kind, { dump: gallery });
    for (const path of ['/lti/login/', '/lti/launch/', '/lti/course/', '/account/linked/'])
      expect([path, (await (await person(site, 'zoe')).browser.get(path)).status]).toEqual([path, 404]);
  });
});

/** A form that sends itself. */
function toHtmlForm(action: string, values: Record<string, string>): string {
  const fields = Object.entries(values).map(([name, value]) => `<input name="${name}" value="${value}">`);
  return `<form method="post" action="${action}">${fields.join('')}</form><script>document.forms[0].submit()</script>`;
}

test('a pupil comes from a page of the platform, in a new window, with the cookies of this site', async () => {
  const moodle = new TestPlatform();
  let origin = '';
  const pages = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname, searchParams } = new URL(request.url);
      const hints = new URLSearchParams({ iss: platform, login_hint: '1' });
      const asked = Object.fromEntries(searchParams);
      const html =
        pathname === '/course'
          ? `<iframe src="${origin}/lti/login/?${hints}"></iframe>`
          : toHtmlForm(`${origin}/lti/launch/`, moodle.makeForm(asked, pupil, robotics));
      return new Response(html, { headers: { 'Content-Type': 'text/html' } });
    },
  });
  closeLater(() => pages.stop(true));
  moodle.loginUrl = `http://127.0.0.1:${pages.port}/auth`;
  const { site } = await open('SQLite', { VITRINE_SIGN_UP: 'open' }, moodle);
  const { home } = await openClass(moodle, site);
  origin = site.serve();

  const window = await openWindow(await openBrowser(), visitor(site));
  const course = await window.newPage();
  await course.goto(`http://127.0.0.1:${pages.port}/course`);
  const opened = window.waitForEvent('page');
  await course
    .frameLocator('iframe')
    .getByRole('link', { name: /in a new window/ })
    .click();
  const page = await opened;
  await page.waitForURL(origin + home);
  expect(await page.getByRole('heading', { level: 1 }).textContent()).toContain('Robotics 7b');
  await page.goto(`${origin}/account/`);
  expect(await page.locator('main').textContent()).toMatch(/robotics-7b-[0-9a-f]{6}/);
});
