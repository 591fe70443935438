// Review before publishing, and publishing at a time: what waits, who opens it, and when it becomes public.

import { afterEach, expect, setSystemTime, test } from 'bun:test';
import { execute } from '#sql';
import { transact } from '../../src/core/changes/transact.ts';
import { changeSite } from '../../src/core/site/site-settings.ts';
import { exportDump } from '../../src/features/export-import/export.ts';
import { publishDueProjects } from '../../src/features/publish-later/publish-due.ts';
import { checkGallery } from '../../src/projects/check/check.ts';
import { onBothDatabases } from '../support/databases.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import {
  ada as adasLine,
  contributor,
  dump,
  exportAll,
  project,
  type Site,
  siteOn,
} from '../support/site.ts';

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  contributor(3, 'mo'),
  contributor(4, 'lu'),
  project(1, { title: 'A lamp' }),
  project(2, { title: 'A boat', contributor: 2 }),
  project(3, { title: 'Begun long ago', contributor: 2, status: 0 }),
);

const setReview = (site: Site, settings: Record<string, string>) =>
  transact(site.database, null, (write) => changeSite(write, '', settings));

interface Shown {
  readonly id: number;
  readonly status: number;
  readonly title: string;
  readonly created: string;
  readonly publish_at?: string | null;
}

async function people(site: Site) {
  return {
    zoe: await person(site, 'zoe'),
    mo: await person(site, 'mo', { role: 'moderator' }),
    lu: await person(site, 'lu', { role: 'moderator' }),
    anyone: visitor(site),
  };
}

const shown = async (response: Promise<Response>) => (await (await response).json()) as Shown;
const publish = (maker: Person, values: object) => shown(maker.post('/api/v1/projects/', values));
const approve = (moderator: Person, id: number, headers?: Record<string, string>) =>
  moderator.post(`/api/v1/projects/${id}/review/`, { decision: 'approve' }, headers);
const statusFor = async (viewer: Person, id: number) => (await viewer.get(`/api/v1/projects/${id}/`)).status;

afterEach(() => void setSystemTime());

const later = (seconds: number) => new Date(Date.now() + seconds * 1000).toISOString();

onBothDatabases((kind) => {
  test('without a review, what is published is public at once, and status 5 is not sent', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, anyone } = await people(site);
    const { id, status } = await publish(zoe, { title: 'A kite' });
    expect([status, await statusFor(anyone, id)]).toEqual([1, 200]);
    const refused = await zoe.patch(`/api/v1/projects/${id}/`, { status: 5 });
    expect([refused.status, await refused.json()]).toEqual([400, { status: ['"5" is not a valid choice.'] }]);
    const filtered = await anyone.get('/api/v1/projects/?status=5');
    expect([filtered.status, await filtered.json()]).toEqual([
      400,
      { status: ['Select a valid choice. 5 is not one of the available choices.'] },
    ]);
  });

  test('what somebody who is not trusted changes in an approved work, its tags too, waits again', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'first' });
    const { id } = await publish(zoe, { title: 'A kite' });

    for (const change of [
      { title: 'Another' },
      { text: 'Words' },
      { link: 'https://a.example/' },
      { tags: 'rude' },
    ]) {
      expect((await approve(mo, id)).status).toBe(200);
      const changed = await shown(zoe.patch(`/api/v1/projects/${id}/`, change));
      expect([change, changed.status, await statusFor(anyone, id)]).toEqual([change, 5, 404]);
    }
  });

  test('a work that was sent back or hidden makes nobody trusted, and no work speaks for itself', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'first', review_works: '1' });
    const { id } = await publish(zoe, { title: 'Good' });
    await approve(mo, id);
    expect((await publish(zoe, { title: 'Trusted now' })).status).toBe(1);

    await zoe.patch(`/api/v1/projects/${id}/`, { visibility: 'private' });
    expect((await publish(zoe, { title: 'Not any more' })).status).toBe(5);
    const hidden = await shown(zoe.patch(`/api/v1/projects/${id}/`, { text: 'Bad', visibility: 'public' }));
    expect([hidden.status, await statusFor(anyone, id)]).toEqual([5, 404]);

    await mo.post(`/api/v1/projects/${id}/review/`, { decision: 'return', reason: 'No.' });
    await zoe.patch(`/api/v1/projects/${id}/`, { status: 1, visibility: 'private' });
    const opened = await shown(zoe.patch(`/api/v1/projects/${id}/`, { visibility: 'public' }));
    expect([opened.status, await statusFor(anyone, id)]).toEqual([5, 404]);
  });

  test('works that come back from the trash count among those that wait', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe } = await people(site);
    await setReview(site, { review: 'all' });
    const { id } = await publish(zoe, { title: 'The first' });
    await zoe.delete(`/api/v1/projects/${id}/`);
    for (let count = 0; count < 20; count++) await publish(zoe, { title: `Work ${count}` });

    const restored = await zoe.post(`/api/v1/projects/${id}/restore/`);
    expect([restored.status, await restored.json()]).toEqual([
      400,
      { non_field_errors: [expect.stringContaining('20')] },
    ]);
    expect(await zoe.json('/api/v1/projects/?contributor=me&status=5&fields=id')).toMatchObject({
      count: 20,
    });
  });

  test('a moderator who changes an approved draft does not keep it from its time', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'all' });
    const { id } = await publish(zoe, { title: 'Planned', status: 0, publish_at: later(3600) });
    await approve(mo, id);
    await mo.patch(`/api/v1/projects/${id}/`, { text: 'A word was mended.' });

    setSystemTime(Date.now() + 3_601_000);
    await publishDueProjects(site.database);
    expect([await statusFor(zoe, id), await statusFor(anyone, id)]).toEqual([200, 200]);
  });

  test('what a newcomer publishes waits until a moderator approves it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'first' });

    const made = await shown(zoe.patch('/api/v1/projects/3/', { status: 1 }));
    expect([made.status, made.title]).toEqual([5, 'Begun long ago']);
    expect(await statusFor(anyone, 3)).toBe(404);
    expect(await statusFor(zoe, 3)).toBe(200);
    // Asked again, it still waits, and can be sent back as it was read.
    expect((await shown(zoe.patch('/api/v1/projects/3/', { status: 1 }))).status).toBe(5);
    expect((await shown(zoe.put('/api/v1/projects/3/', made))).status).toBe(5);
    expect(await zoe.json('/api/v1/projects/?contributor=me&status=5&fields=id')).toMatchObject({ count: 1 });
    expect(await mo.json('/api/v1/projects/?status=5&fields=id')).toMatchObject({ results: [{ id: 3 }] });

    const approved = await approve(mo, 3);
    expect([approved.status, ((await approved.json()) as Shown).status]).toEqual([200, 1]);
    expect(await statusFor(anyone, 3)).toBe(200);
    expect(await zoe.json('/api/v1/me/notifications/')).toMatchObject({
      results: [{ kind: 'decided', is_read: false }],
    });
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a draft of this gallery stands first once it is public; what an import brought keeps its time', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, anyone } = await people(site);
    const draft = await publish(zoe, { title: 'Draft', status: 0 });
    await publish(zoe, { title: 'In between' });
    const opened = await shown(zoe.patch(`/api/v1/projects/${draft.id}/`, { status: 1 }));
    expect(opened.created > draft.created).toBe(true);
    const listed = await anyone.json<{ results: Shown[] }>('/api/v1/projects/?fields=title');
    expect(listed.results.map(({ title }) => title).slice(0, 2)).toEqual(['Draft', 'In between']);

    // Published once more, and edited, it stays where it is.
    await zoe.patch(`/api/v1/projects/${draft.id}/`, { status: 0 });
    const again = await shown(zoe.patch(`/api/v1/projects/${draft.id}/`, { status: 1, title: 'Other' }));
    expect(again.created).toBe(opened.created);
    const imported = await zoe.json<Shown>('/api/v1/projects/3/');
    expect((await shown(zoe.patch('/api/v1/projects/3/', { status: 1 }))).created).toBe(imported.created);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('after so many approved works, a newcomer waits no longer; a removed one does not count', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo } = await people(site);
    await setReview(site, { review: 'first', review_works: '2' });
    const first = await publish(zoe, { title: 'One' });
    const second = await publish(zoe, { title: 'Two' });
    await approve(mo, first.id);
    await approve(mo, second.id);
    expect((await publish(zoe, { title: 'Three' })).status).toBe(1);
    await mo.patch(`/api/v1/projects/${second.id}/`, { status: 3 });
    expect((await publish(zoe, { title: 'Four' })).status).toBe(5);
  });

  test('every way to open a work leads to the moderators: copies, comments, the trash, files', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'all' });

    const copy = await shown(zoe.post('/api/v1/projects/1/copy/'));
    expect(copy.status).toBe(1);
    expect((await shown(zoe.patch(`/api/v1/projects/${copy.id}/`, { visibility: 'unlisted' }))).status).toBe(
      5,
    );
    // Nobody reviews what nobody else sees.
    expect((await shown(zoe.patch(`/api/v1/projects/${copy.id}/`, { visibility: 'private' }))).status).toBe(
      1,
    );

    const comment = await shown(zoe.post('/api/v1/projects/1/comments/', { text: 'Nice' }));
    expect([comment.status, await statusFor(anyone, comment.id)]).toEqual([5, 404]);
    expect(await anyone.json('/api/v1/projects/1/comments/')).toMatchObject({ count: 0 });

    await zoe.delete('/api/v1/projects/2/');
    expect((await shown(zoe.post('/api/v1/projects/2/restore/'))).status).toBe(5);
    await approve(mo, 2);
    const files = new FormData();
    files.append('file', new File([new Uint8Array(png(8, 8))], 'dot.png', { type: 'image/png' }));
    expect((await zoe.post('/api/v1/projects/2/media/', files)).status).toBe(201);
    expect((await zoe.json<Shown>('/api/v1/projects/2/')).status).toBe(5);

    await approve(mo, 2);
    expect((await shown(zoe.patch('/api/v1/projects/2/', { history: 'public' }))).status).toBe(1);
    expect((await shown(zoe.patch('/api/v1/projects/2/', { text: 'Other words' }))).status).toBe(5);
    expect(await statusFor(anyone, 2)).toBe(404);
    // What moderators and trusted people open does not wait.
    expect((await publish(mo, { title: 'By a moderator' })).status).toBe(1);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a moderator returns it with a reason; nobody decides twice, on another version, or on their own', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, lu, anyone } = await people(site);
    await setReview(site, { review: 'all' });
    const { id } = await publish(zoe, { title: 'Full names' });
    const path = `/api/v1/projects/${id}/review/`;

    expect((await anyone.post(path, { decision: 'approve' })).status).toBe(401);
    expect((await zoe.post(path, { decision: 'approve' })).status).toBe(403);
    const noReason = await mo.post(path, { decision: 'return' });
    expect([noReason.status, Object.keys((await noReason.json()) as object)]).toEqual([400, ['reason']]);
    expect((await mo.post(path, { decision: 'burn' })).status).toBe(400);
    const seen = (await mo.get(`/api/v1/projects/${id}/`)).headers.get('ETag') ?? '';
    await zoe.patch(`/api/v1/projects/${id}/`, { text: 'Added meanwhile' });
    expect((await approve(mo, id, { 'If-Match': seen })).status).toBe(412);

    const reason = 'No full names, please.';
    const answers = await Promise.all([
      mo.post(path, { decision: 'return', reason }),
      lu.post(path, { decision: 'approve' }),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409]);

    const other = await publish(zoe, { title: 'Another' });
    const returned = await mo.post(`/api/v1/projects/${other.id}/review/`, { decision: 'return', reason });
    expect([returned.status, ((await returned.json()) as Shown).status]).toEqual([200, 0]);
    expect(await (await approve(mo, other.id)).json()).toEqual({
      detail: 'It does not wait any more: somebody else has decided, or its author has taken it back.',
    });
    const own = await publish(mo, { title: 'My own', status: 0 });
    expect((await approve(mo, own.id)).status).toBe(403);
  });

  test('what its maker has archived is archived once it is approved', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo } = await people(site);
    await setReview(site, { review: 'all' });
    const path = '/api/v1/projects/2/';
    const change = async (members: object) => (await shown(zoe.patch(path, members))).status;
    const decide = async () => (await shown(approve(mo, 2))).status;
    expect([await change({ status: 2 }), await change({ text: 'Anew' })]).toEqual([2, 5]);
    const line = (await exportAll(site)).split('\n').find((it) => it.startsWith('{"type":"project","id":2,'));
    expect(JSON.parse(line ?? '')).toMatchObject({ status: 5, asked_status: 2 });
    expect(await decide()).toBe(2);

    // Whatever happens meanwhile, unless its maker asks for something else.
    expect([await change({ status: 1, text: 'Again' }), await change({ status: 2 })]).toEqual([5, 5]);
    await zoe.delete(path);
    expect([(await zoe.post(`${path}restore/`)).status, await change({ title: 'A ship' })]).toEqual([200, 5]);
    expect(await decide()).toBe(2);
    expect([await change({ text: 'More' }), await change({ visibility: 'private' })]).toEqual([5, 2]);
    expect([await change({ visibility: 'public' }), await change({ status: 1 })]).toEqual([5, 5]);
    expect(await decide()).toBe(1);
    expect([await change({ status: 2 }), await change({ text: 'Last' })]).toEqual([2, 5]);
    const returned = { decision: 'return', reason: 'Names.' };
    expect((await shown(mo.post(`${path}review/`, returned))).status).toBe(0);
    expect([await change({ status: 1 }), await decide()]).toEqual([5, 1]);
  });

  test('the words of an edit that is held, and of one that is returned, are nowhere for others', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'all' });
    await zoe.patch('/api/v1/projects/2/', { history: 'public' });
    const path = await zoe.json<{ html_url: string }>('/api/v1/projects/2/?fields=html_url');
    const page = new URL(path.html_url).pathname;
    const words = { title: 'Vexillum', text: 'A xylograph.', tags: 'oubliette' };
    const comment = await shown(zoe.post('/api/v1/projects/1/comments/', words));
    await zoe.patch('/api/v1/projects/2/', words);
    const places = [
      ...[
        'projects/',
        'projects/?search=xylograph',
        'projects/2/',
        'projects/2/history/',
        'changes/',
        'tags/',
      ],
      ...['projects/1/comments/', `projects/${comment.id}/`, 'contributors/2/', 'contributors/'],
      ...['projects/1/lineage/', 'projects/?contributor=2', 'projects/?content_type=comment'],
    ].map((place) => `/api/v1/${place}`);
    const pages = ['/', '/feed/', '/wall/', '/sitemap.xml', '/?search=xylograph', '/contributors/2-zoe/'];
    const more = [
      page,
      `${page}history/`,
      `${page}embed/`,
      `${page}preview.png`,
      '/?search=vexilum',
      '/tags/',
    ];
    const expectNothing = async () => {
      for (const place of [...places, ...pages, ...more]) {
        const body = await (await anyone.browser.get(place)).text();
        const echoed = body.replaceAll(place.split('=').at(-1) ?? '', '');
        expect([place, /vexillum|xylograph|oubliette/i.test(echoed)]).toEqual([place, false]);
      }
      // The owner of the project that the comment is about hears nothing either.
      expect(await (await person(site, 'ada')).json('/api/v1/me/notifications/')).toMatchObject({ count: 0 });
    };
    await expectNothing();
    for (const id of [2, comment.id])
      await mo.post(`/api/v1/projects/${id}/review/`, { decision: 'return', reason: 'Oubliette' });
    await expectNothing();
  });

  test('at most twenty works of one person wait, also when they are sent at once', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe } = await people(site);
    await setReview(site, { review: 'all' });
    for (let count = 0; count < 18; count++) await publish(zoe, { title: `Work ${count}` });
    const sent = await Promise.all(
      Array.from({ length: 5 }, (_, index) => zoe.post('/api/v1/projects/', { title: `Last ${index}` })),
    );
    expect(sent.map(({ status }) => status).sort()).toEqual([201, 201, 400, 400, 400]);
    expect(await checkGallery(site.database, false)).toEqual([]);
  });

  test('a draft appears at its time, once, and what has no time is refused', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    const friday = later(3600);
    const path = '/api/v1/projects/3/?include=publish_at';
    const planned = await shown(zoe.patch(path, { status: 1, publish_at: friday }));
    expect([planned.status, planned.publish_at]).toEqual([0, friday.replace(/Z$/, '000+00:00')]);
    await publishDueProjects(site.database);
    expect(await statusFor(anyone, 3)).toBe(404);

    const elsewhere = '2030-01-31T18:00:00';
    for (const publish_at of [elsewhere, 'tomorrow', later(400 * 86_400), 5, true, ['x']])
      expect((await zoe.patch(path, { publish_at })).status).toBe(400);
    expect((await zoe.patch('/api/v1/projects/2/', { publish_at: friday })).status).toBe(400);
    expect((await mo.patch(path, { publish_at: later(60) })).status).toBe(403);

    await transact(
      site.database,
      null,
      ({ transaction }) => execute(transaction)`update project set publish_at = 1 where id = 3`,
    );
    await Promise.all([publishDueProjects(site.database), publishDueProjects(site.database)]);
    await publishDueProjects(site.database);
    expect((await shown(anyone.get(path))).publish_at).toBeNull();
    const versions = await zoe.json<{ results: unknown[] }>('/api/v1/projects/3/history/');
    expect(versions.results).toHaveLength(3);
    expect((await shown(zoe.patch(path, { status: 0, publish_at: later(-60) }))).status).toBe(1);
  });

  test('what is to appear later is reviewed before, and again when it was changed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe, mo, anyone } = await people(site);
    await setReview(site, { review: 'all' });
    const due = () =>
      transact(
        site.database,
        null,
        ({ transaction }) =>
          execute(transaction)`update project set publish_at = 1 where publish_at is not null`,
      );
    const made = await publish(zoe, { title: 'Friday', publish_at: later(3600) });
    expect(made.status).toBe(5);
    expect(((await (await approve(mo, made.id)).json()) as Shown).status).toBe(0);
    expect((await shown(zoe.patch(`/api/v1/projects/${made.id}/`, { text: 'More' }))).status).toBe(5);
    await approve(mo, made.id);
    await due();
    await publishDueProjects(site.database);
    expect(await statusFor(anyone, made.id)).toBe(200);

    // It was planned before the site had a review.
    await setReview(site, { review: 'off' });
    const earlier = await publish(zoe, { title: 'Saturday', publish_at: later(3600) });
    await setReview(site, { review: 'all' });
    await due();
    await publishDueProjects(site.database);
    expect((await zoe.json<Shown>(`/api/v1/projects/${earlier.id}/`)).status).toBe(5);
  });

  test('an export has what waits, and an import of it gives the same lines', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const { zoe } = await people(site);
    await publish(zoe, { title: 'Planned', publish_at: later(3600) });
    await setReview(site, { review: 'all' });
    await publish(zoe, { title: 'Waits', publish_at: later(7200) });
    const linesOf = async ({ database, files }: Site) => {
      let lines = '';
      await exportDump(database, files, async (text) => {
        lines += text;
      });
      return lines;
    };
    const exported = await linesOf(site);
    expect(exported).toContain('"status":5');
    expect(await linesOf(await siteOn(kind, { dump: exported }))).toBe(exported);
  });
});
