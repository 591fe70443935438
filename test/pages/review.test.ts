// The pages of the review before publishing: for makers, and for moderators.

import { expect, test } from 'bun:test';
import { transact } from '../../src/core/changes/transact.ts';
import { changeSite } from '../../src/core/site/site-settings.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onOneDatabase } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, pathOf, project, type Site, siteOn } from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  project(1, { title: 'A lamp', text: 'It shines.' }),
);

const setReview = (site: Site, review: string) =>
  transact(site.database, null, (write) => changeSite(write, '', { review }));

async function people(site: Site) {
  const mo = await person(site, 'mo', { role: 'moderator' });
  return { zoe: await person(site, 'zoe'), mo, anyone: visitor(site) };
}

const make = async (maker: Person, values: object) =>
  (await (await maker.post('/api/v1/projects/?include=publish_at', values)).json()) as {
    readonly id: number;
    readonly html_url: string;
  };
const pathOfUrl = (url: string) => new URL(url).pathname;
/** The next one over which the clocks of Madrid are put forward: on the last Sunday of March, at two. */
const skippedHour = (() => {
  const days = Array.from({ length: 366 }, (_, day) => new Date(Date.now() + day * 86_400_000));
  const day = days.find(
    (date) => date.getUTCMonth() === 2 && date.getUTCDay() === 0 && date.getUTCDate() > 24,
  );
  return `${day?.toISOString().slice(0, 10)}T02:30`;
})();
const locationOf = (response: Response) => response.headers.get('Location') ?? '';

onOneDatabase((kind) => {
  test('forms say before they are sent that a moderator looks at it, and the maker sees that it waits', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    const sentence = 'The moderators of Vitrine look at this before others see it.';
    expect((await zoe.open('/new/text/')).text).not.toContain(sentence);
    await setReview(site, 'first');
    expect((await zoe.open('/new/text/')).text).toContain(sentence);
    expect((await zoe.open(pathOf(1))).text).toContain('A moderator looks at your comment before others');
    expect((await mo.open('/new/text/')).text).not.toContain(sentence);

    const path = locationOf(await zoe.submit('/new/text/', 'Publish', { title: 'A boat', text: 'Floats.' }));
    expect((await zoe.open(path)).text).toContain('This waits for a moderator. Until somebody has looked');
    expect((await anyone.get(path)).status).toBe(404);
    // The page that says so asks for what is missing, as after publishing.
    const photo = new File([new Uint8Array(png(40, 30))], 'raft.png');
    const sent = { title: 'A raft', visibility: 'public', status: '1' };
    const raft = locationOf(await zoe.browser.upload('/new/photo/', photo, sent));
    await zoe.submit(raft, 'Save', { 'What is in the picture?': 'Four logs.' });
    const page = await zoe.open(raft);
    expect([page.attributesOf('.pictures img', 'alt'), page.textsOf('.describe')]).toEqual([
      ['Four logs.'],
      [],
    ]);
    expect(page.text).toContain('This waits for a moderator.');
    expect((await anyone.get(raft)).status).toBe(404);
    expect((await zoe.open('/mine/?show=waiting')).text).toContain('A boat');
    expect((await zoe.open('/mine/')).text).toContain('A boat waiting to be checked');

    await zoe.submit(pathOf(1), 'Post comment', { text: 'How bright!' });
    expect((await zoe.open(pathOf(1))).text).toContain('How bright!');
    expect((await anyone.open(pathOf(1))).text).not.toContain('How bright!');
  });

  test('moderators approve and return from a list, the oldest first, and the maker reads the reason', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, 'all');
    const boat = await make(zoe, {
      title: 'A boat',
      text: 'By Zoë Kite, Main Street 5.',
      link: 'https://boats.example/',
      tags: 'boats, milk',
    });
    const raft = await make(zoe, { title: 'A raft' });
    expect((await zoe.browser.get('/moderation/waiting/')).status).toBe(403);

    const list = await mo.open('/moderation/waiting/');
    expect(list.text).toMatch(/A boat .*Main Street 5.*boats\.example.*Tags: boats, milk.*A raft/);
    expect(list.textsOf('.badge')[0]).toBe('2 to look at');
    const noReason = await mo.send('/moderation/waiting/', { project: String(boat.id), decision: 'return' });
    expect([noReason.status, (await readPage(noReason)).text.includes('Please fill this in')]).toEqual([
      400,
      true,
    ]);
    const [seenFirst = ''] = list.attributesOf('[name=seen]', 'value');
    const unseen = await mo.send('/moderation/waiting/', { project: String(boat.id), decision: 'approve' });
    expect(unseen.status).toBe(404);
    const returned = await mo.send('/moderation/waiting/', {
      project: String(boat.id),
      decision: 'return',
      seen: seenFirst,
      because: 'names',
      reason: 'Your first name is fine.',
      next: String(raft.id),
    });
    expect(locationOf(returned)).toBe(`/moderation/waiting/?done=1#project-${raft.id}`);
    const reason = 'No full names, addresses or phone numbers, please. Your first name is fine.';
    expect((await zoe.open(pathOfUrl(boat.html_url))).text).toContain(reason);
    expect((await zoe.open('/mine/?show=drafts')).text).toContain(reason);
    expect((await zoe.open('/account/notifications/')).text).toContain('A moderator sent A boat back');

    const [seen = ''] = (await mo.open('/moderation/waiting/')).attributesOf('[name=seen]', 'value');
    await zoe.patch(`/api/v1/projects/${raft.id}/`, { text: 'Other words' });
    const outdated = await mo.send('/moderation/waiting/', {
      project: String(raft.id),
      decision: 'approve',
      seen,
    });
    expect((await readPage(outdated)).text).toContain('It was changed since you opened this page');
    expect((await anyone.get(pathOfUrl(raft.html_url))).status).toBe(404);
    expect((await mo.submit('/moderation/waiting/', 'Approve it A raft')).status).toBe(303);
    expect((await anyone.get(pathOfUrl(raft.html_url))).status).toBe(200);
    expect((await mo.open('/moderation/waiting/')).text).toContain('Nothing waits for you.');
    expect((await mo.open('/moderation/log/')).text).toMatch(
      /approved A raft by zoe.*sent back A boat by zoe/,
    );
  });

  test('whom moderators trust publishes at once, until they undo it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo } = await people(site);
    await setReview(site, 'all');
    const account = '/moderation/people/?username=zoe';
    await mo.submit(account, 'Publish without a review');
    expect((await mo.open(account)).text).toContain('publishes without one');
    expect(await make(zoe, { title: 'A boat' })).toMatchObject({ status: 1 });
    await mo.send('/moderation/log/1/undo/');
    expect(await make(zoe, { title: 'A raft' })).toMatchObject({ status: 5 });
    expect((await mo.send('/moderation/people/trust/', { contributor: '3', trusted: 'yes' })).status).toBe(
      403,
    );
    expect((await zoe.send('/moderation/people/trust/', { contributor: '2', trusted: 'yes' })).status).toBe(
      403,
    );
  });

  test('admins switch the review on for all hosts, and the page says what is wrong', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe } = await people(site);
    const alma = await person(site, 'ada', { role: 'admin' });
    await alma.submit('/admin/site/?part=projects', 'Save', { review: 'first', review_works: '1' });
    expect(await make(zoe, { title: 'A boat' })).toMatchObject({ status: 5 });
    const wrong = await alma.send('/admin/site/', { review_works: 'many' });
    expect((await readPage(wrong)).text).toContain('Enter a number from 1 to 100.');
    const ofHost = await alma.send('/admin/site/?host=gallery.example', { review: 'off' });
    expect([ofHost.status, (await readPage(ofHost)).text.includes('This holds for all hosts')]).toEqual([
      400,
      true,
    ]);
  });

  test('in a browser, a approves and r chooses a reason', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, 'all');
    const boat = await make(zoe, { title: 'A boat' });
    await make(zoe, { title: 'A raft' });
    const page = await (await openWindow(await openBrowser(), mo)).newPage();
    await page.goto('/moderation/waiting/');
    await page.keyboard.press('a');
    await page.waitForURL(/done=1/);
    expect((await anyone.get(pathOfUrl(boat.html_url))).status).toBe(200);
    await page.locator('.reported').focus();
    await page.keyboard.press('r');
    expect(await page.evaluate(() => document.activeElement?.getAttribute('name'))).toBe('because');
  });

  test('a form publishes later, in the time zone that it says', async () => {
    const site = await siteOn(kind, { dump: gallery, environment: { VITRINE_TIME_ZONE: 'Europe/Madrid' } });
    const { zoe, anyone } = await people(site);
    const year = new Date().getUTCFullYear() + 1;
    const form = await zoe.open('/new/text/');
    expect(form.text).toContain('The time zone is Europe/Madrid');
    const fields = { title: 'Summer', text: 'Sun.' };
    const january = `${year}-01-10T18:00`;
    const path = locationOf(await zoe.submit('/new/text/', 'Publish', { ...fields, publish_time: january }));
    const shown = await zoe.open(path);
    expect(shown.text).toContain(`It will be published on 10 January ${year}, 18:00`);
    expect((await anyone.get(path)).status).toBe(404);
    expect((await zoe.open(`${path}edit/`)).attributesOf('[name=publish_time]', 'value')).toEqual([january]);
    const inBogota = { publish_time: january, time_zone: 'America/Bogota' };
    await zoe.submit(`${path}edit/`, 'Save draft', inBogota);
    expect((await zoe.open(path)).text).toContain(`11 January ${year}, 00:00`);

    for (const [publish_time, time_zone, sentence] of [
      [skippedHour, 'Europe/Madrid', 'The clocks are put forward over this hour'],
      ['tomorrow', 'Europe/Madrid', 'Enter a valid date'],
      [january, 'Moon/Crater', 'Enter a valid date'],
      [`${year + 3}-01-01T12:00`, 'UTC', 'Choose a time within the next year.'],
    ] as const) {
      const refused = await zoe.send('/new/text/', { ...fields, status: '1', publish_time, time_zone });
      expect([refused.status, (await readPage(refused)).text]).toEqual([
        400,
        expect.stringContaining(sentence),
      ]);
    }
    // Without the time, it is published now.
    await zoe.submit(`${path}edit/`, 'Publish', { publish_time: '' });
    expect((await anyone.get(path)).status).toBe(200);
  });

  test('in a browser, the time is in its own zone', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe } = await people(site);
    const publish_at = `${new Date().getUTCFullYear() + 1}-01-10T18:00:00Z`;
    const { html_url } = await make(zoe, { title: 'Summer', publish_at });
    const window = await openWindow(await openBrowser(), zoe, { timezoneId: 'America/Bogota' });
    const page = await window.newPage();
    await page.goto(`${pathOfUrl(html_url)}edit/`);
    const time = page.locator('[name=publish_time]');
    expect(await time.inputValue()).toBe(publish_at.replace('18:00:00Z', '13:00'));
    expect(await page.locator('.time-zone').textContent()).toBe('America/Bogota');
    await time.fill(publish_at.replace('18:00:00Z', '14:30'));
    await page.getByRole('button', { name: 'Save draft' }).click();
    await page.waitForURL(/(?<!edit)\/$/);
    expect(await page.locator('.notice time').getAttribute('datetime')).toBe(
      publish_at.replace('18:00:00Z', '19:30:00.000+00:00'),
    );
  });
});
