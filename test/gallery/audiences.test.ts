// For whom something was made is kept with it: what was made for a class stays there, words keep the readers for whom they
// were written, and whoever owns a class is one of its teachers.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { executeAlone, exists } from '#sql';
import { sweep } from '../../src/core/jobs/sweep.ts';
import { onBothDatabases } from '../support/databases.ts';
import type { Person } from '../support/person.ts';
import {
  at,
  copy,
  firstClass,
  idOf,
  lamp,
  type Made,
  make,
  openSchool,
  release,
  schoolDump,
  secondClass,
} from '../support/school.ts';
import { contributor, dump, exportAll, importInto, project, siteOn } from '../support/site.ts';

const comment = (writer: Person, { id }: Pick<Made, 'id'>, text: string) =>
  make(writer, { title: text, text, content_type: 'comment', parent: id });

const status = async (reader: Person, { id }: Pick<Made, 'id'>) => (await reader.get(`${at}${id}/`)).status;

const change = async (writer: Person, { id }: Pick<Made, 'id'>, members: object) => {
  const response = await writer.patch(`${at}${id}/`, members);
  const body = (await response.json()) as Made & { readonly detail?: string };
  return [response.status, body.detail ?? `${body.visibility} ${body.status}`];
};

const approve = async (reviewer: Person, { id }: Pick<Made, 'id'>) =>
  (await reviewer.post(`${at}${id}/review/`, { decision: 'approve' })).status;

const collect = async (person: Person, collection: number, { id }: Pick<Made, 'id'>) =>
  (await person.post(`${at}${collection}/items/`, { project: id })).status;

const leavesNever = [403, 'This was made for a class: it cannot be remixed outside.'];
const isOpenedByMaker = [403, 'Only who made it opens it to others.'];

onBothDatabases((kind) => {
  test('no copy of a classmate’s work leaves the class, whatever happens to what it was copied from', async () => {
    const school = await openSchool(kind);
    const { kim, lee, ann } = school;
    const [work, hidden, erased] = [
      await make(lee, { visibility: 'class' }),
      await make(lee, { visibility: 'class' }),
      await make(lee, { visibility: 'class' }),
    ];
    const first = await copy(kim, work);
    const copies = [first, await copy(kim, first), await copy(kim, hidden), await copy(kim, erased)];
    const [ofFirst] = copies;
    expect(await change(kim, first, { visibility: 'class' })).toEqual([200, 'class 1']);
    copies.push(await copy(ann, first), await copy(ann, work));
    expect(ofFirst).toEqual(first);
    await change(lee, hidden, { visibility: 'private' });
    await lee.delete(`${at}${erased.id}/`);
    await release(school, 'kim');
    for (const [index, made] of copies.entries())
      for (const visibility of ['public', 'unlisted'])
        expect(await change(index < 4 ? kim : ann, made, { visibility })).toEqual(leavesNever);
    expect(await status(school.visitor, first)).toBe(404);
  });

  test('nobody carries a classmate’s work into another class or a collection', async () => {
    const school = await openSchool(kind);
    const { lee, sam, ann, bob, tom } = school;
    const ofSam = await copy(sam, await make(lee, { visibility: 'class' }));
    expect(await change(sam, ofSam, { visibility: 'class' })).toEqual([200, 'class 1']);
    expect(await status(lee, ofSam)).toBe(200);
    expect(await status(tom, ofSam)).toBe(404);
    expect(await collect(sam, secondClass, ofSam)).toBe(400);
    expect(await status(tom, ofSam)).toBe(404);
    const own = await make(sam, { visibility: 'class' });
    expect(await collect(sam, secondClass, own)).toBe(201);
    expect(await status(tom, own)).toBe(200);

    const open = await make(bob, { title: 'Best of', content_type: 'collection', offers: 'open' });
    for (const [maker, work] of [
      [sam, own],
      [sam, ofSam],
    ] as const)
      expect(await collect(maker, open.id, work)).toBe(400);
    expect(await bob.json('/api/v1/me/notifications/')).toMatchObject({ count: 0 });
    const ofAnn = await make(ann, { title: 'Mine', content_type: 'collection' });
    expect(await collect(ann, ofAnn.id, await copy(ann, own))).toBe(400);
  });

  test('a copy of a teacher’s work leaves the class through review, on any site, by whomever it was copied', async () => {
    const school = await openSchool(kind);
    const { tess, kim, ann, olga, visitor } = school;
    const sheet = await make(tess, { title: 'A worksheet', visibility: 'class' });
    for (const maker of [kim, ann]) {
      const made = await copy(maker, sheet);
      expect(await change(maker, made, { title: 'My worksheet', visibility: 'public' })).toEqual([
        200,
        'public 5',
      ]);
      expect(await status(visitor, made)).toBe(404);
      expect(await approve(maker, made)).toBe(403);
      expect(await approve(maker === kim ? olga : tess, made)).toBe(200);
      expect(await status(visitor, made)).toBe(200);
      // Everybody may copy it now, and publish the copy.
      const ofBob = await copy(school.bob, made);
      expect(await change(school.bob, ofBob, { visibility: 'public' })).toEqual([200, 'public 1']);
    }
  });

  test('only its maker opens what was made for a class', async () => {
    const school = await openSchool(kind);
    const { mo, kim, lee, tess, visitor } = school;
    const work = await make(kim, { visibility: 'class' });
    const remix = await copy(tess, work);
    for (const visibility of ['public', 'unlisted'])
      expect(await change(mo, work, { visibility })).toEqual(isOpenedByMaker);
    expect(await change(mo, work, { visibility: 'private' })).toEqual([200, 'private 1']);
    expect(await change(mo, work, { visibility: 'public' })).toEqual(isOpenedByMaker);
    expect(await change(kim, work, { visibility: 'public', status: 0 })).toEqual([200, 'public 0']);
    expect(await change(mo, work, { status: 1 })).toEqual(isOpenedByMaker);
    expect(await change(kim, work, { status: 1 })).toEqual([200, 'public 5']);

    await change(kim, work, { visibility: 'private' });
    expect(await change(tess, remix, { visibility: 'public' })).toEqual(leavesNever);
    expect((await mo.post(`${at}${(await make(lee, { visibility: 'private' })).id}/copy/`)).status).toBe(403);
    await change(kim, work, { visibility: 'public' });
    expect(await approve(tess, work)).toBe(200);
    expect(await status(visitor, work)).toBe(200);
  });

  test('copies lose the words of a work that is erased, and keep what was wholly rewritten', async () => {
    const school = await openSchool(kind);
    const { site, lee, kim, sam, ann } = school;
    const words = 'My brother and I have made this kite out of an old umbrella.';
    const work = await make(lee, { title: 'Leewards', text: words, tags: 'wind', visibility: 'class' });
    const named = await make(lee, {
      title: 'I am Lee of Elm Street 5',
      tags: 'lee of elm street,wind',
      visibility: 'class',
    });
    const ofNamed = await copy(kim, named);
    await change(kim, ofNamed, { title: 'I am Lee of Elm Street 5!', tags: 'Lee of Elm Street!,kim' });
    const [same, added, rewritten] = [await copy(kim, work), await copy(sam, work), await copy(ann, work)];
    await change(sam, added, { text: `I say: ${words} It flies.`, title: 'Flying' });
    await change(ann, rewritten, { text: 'Quite another story, in other words.', title: 'Rewritten' });
    const ofSame = await copy(kim, same);
    for (const { id } of [work, named]) await lee.delete(`${at}${id}/`);
    await executeAlone(site.database)`update project set trashed = 1 where trashed is not null`;
    await sweep(site.database, site.files);

    const read = (person: Person, { id }: Made) => person.json<Made>(`${at}${id}/?fields=title,text,tags`);
    for (const made of [same, ofSame])
      expect(await read(kim, made)).toEqual({ title: 'Untitled', text: '', tags: '' } as never);
    expect(await read(sam, added)).toEqual({ title: 'Flying', text: '', tags: '' } as never);
    expect(await read(ann, rewritten)).toEqual({
      ...{ title: 'Rewritten', text: 'Quite another story, in other words.', tags: '' },
    } as never);
    expect(await read(kim, ofNamed)).toEqual({ title: 'Untitled', text: '', tags: 'kim' } as never);
    const rest = await exportAll(site);
    for (const word of ['Leewards', 'Elm Street', 'elm-street', 'umbrella', '"wind"'])
      expect(rest).not.toContain(word);
  });

  test('copies lose the words that a redacted version had, and keep the others', async () => {
    const school = await openSchool(kind);
    const { site, mo, lee, kim, sam, ann, bob } = school;
    const [hello, number, end] = [
      'This kite is an old umbrella.',
      ' Call q8xk5550123 for it!',
      ' It flies by itself.',
    ];
    const redact = async (who: Person, { id }: Pick<Made, 'id'>) => {
      const { results } = await who.json<{ results: { number: number; text: string | null }[] }>(
        `${at}${id}/history/`,
      );
      const version = results.find(({ text }) => text?.includes('q8xk'));
      return (await who.post(`${at}${id}/history/${version?.number}/redact/`)).status;
    };
    const read = async (who: Person, { id }: Pick<Made, 'id'>) => {
      const { title, text } = await who.json<Made>(`${at}${id}/`);
      return [title, text.replace(/ +/g, ' ').trim()];
    };

    const work = await make(lee, { title: 'q8xk', text: hello + number + end, visibility: 'class' });
    const same = await copy(kim, work);
    await change(kim, same, { visibility: 'class' });
    const added = await copy(sam, same);
    await change(sam, added, { title: 'Mine', text: `I say: ${hello}${number} And mine.` });
    const corrected = await copy(ann, work);
    await change(ann, corrected, { title: 'Corrected', text: hello + end });
    await change(lee, work, { title: 'A kite', text: hello + end });
    expect(await redact(lee, work)).toBe(204);
    expect(await read(kim, same)).toEqual(['Untitled', hello + end]);
    expect(await read(sam, added)).toEqual(['Mine', `I say: ${hello} And mine.`]);
    expect(await read(ann, corrected)).toEqual(['Corrected', hello + end]);
    expect(await exportAll(site)).not.toContain('q8xk');

    // Others keep their copies of open work, unless a moderator redacts it.
    await change(ann, { id: lamp }, { text: hello + number });
    const open = await copy(bob, { id: lamp });
    await change(ann, { id: lamp }, { text: hello + number + end });
    await change(ann, { id: lamp }, { text: hello });
    expect(await redact(ann, { id: lamp })).toBe(204);
    expect(await read(bob, open)).toEqual(['A lamp', hello + number]);
    expect(await redact(mo, { id: lamp })).toBe(204);
    expect(await read(bob, open)).toEqual(['A lamp', hello]);
    expect(await exportAll(site)).not.toContain('q8xk');
    const { results } = await bob.json<{ results: { kind: string }[] }>('/api/v1/me/notifications/');
    expect(results.map(({ kind }) => kind)).toEqual(['decided']);
  });

  test('of many copies, those that are left lose the redacted words in steps', async () => {
    const { site, mo, ann, bob } = await openSchool(kind);
    await change(ann, { id: lamp }, { text: 'Call q8xk5550123 for it!' });
    const copies: Made[] = [];
    for (let index = 0; index < 22; index++) copies.push(await copy(bob, { id: lamp }));
    await change(ann, { id: lamp }, { text: 'A lamp.' });
    const { results } = await mo.json<{ results: { number: number; text: string }[] }>(
      `${at}${lamp}/history/`,
    );
    const { number } = results.find(({ text }) => text.includes('q8xk')) ?? {};
    expect((await mo.post(`${at}${lamp}/history/${number}/redact/`)).status).toBe(204);
    const countWords = async () => {
      const texts = await Promise.all(copies.map(({ id }) => bob.json<Made>(`${at}${id}/`)));
      return texts.filter(({ text }) => text.includes('q8xk')).length;
    };
    expect(await countWords()).toBe(2);
    await sweep(site.database, site.files);
    expect(await countWords()).toBe(0);
    expect(await exists(site.database, sql`from job where content like '%q8xk%'`)).toBe(false);
    expect(await exportAll(site)).not.toContain('q8xk');
    expect(await bob.json('/api/v1/me/notifications/')).toMatchObject({ count: 22 });
  });

  test('words keep the readers for whom they were written when the work is opened', async () => {
    const school = await openSchool(kind);
    const { mo, tess, olga, kim, lee, ann, bob, visitor } = school;
    const work = await make(kim, { visibility: 'public' });
    expect(work.status).toBe(5);
    const ill = await comment(tess, work, 'Are you still ill?');
    const answer = await comment(kim, ill, 'No, I am well.');
    expect(await approve(tess, work)).toBe(200);
    const open = await comment(bob, work, 'What a kite!');
    for (const reader of [kim, tess, olga, mo]) {
      expect([await status(reader, ill), await status(reader, answer)]).toEqual([200, 200]);
      expect(await reader.json(`${at}${work.id}/comments/`)).toMatchObject({ count: 3 });
    }
    for (const reader of [visitor, bob, lee, ann]) {
      expect([await status(reader, ill), await status(reader, answer)]).toEqual([404, 404]);
      expect(await reader.json(`${at}${work.id}/comments/`)).toMatchObject({ results: [{ id: open.id }] });
    }
    for (const visibility of ['public', 'class'])
      expect(await change(tess, ill, { visibility })).toEqual([200, 'private 1']);

    const draft = await make(ann, { status: 0 });
    const word = await comment(mo, draft, 'Please leave out the name.');
    expect(await status(ann, word)).toBe(200);
    await change(ann, draft, { status: 1 });
    expect([await status(ann, word), await status(bob, word)]).toEqual([200, 404]);
    expect(await ann.json('/api/v1/me/notifications/')).toMatchObject({
      results: [{ kind: 'commented', subject: word.id }],
    });
  });

  test('an answer to words of the class stays there, also when the work is open and the page sends it', async () => {
    const school = await openSchool(kind);
    const { tess, kim, lee, ann, bob, visitor } = school;
    const work = await make(ann, { visibility: 'class' });
    const ofLee = await comment(lee, work, 'From me');
    expect(ofLee.visibility).toBe('class');
    await change(ann, work, { visibility: 'public' });
    const { html_url } = await tess.json<{ html_url: string }>(`${at}${ofLee.id}/`);
    const sent = await tess.submit(new URL(html_url).pathname, 'Post reply', { text: 'In answer' });
    expect(sent.status).toBe(303);
    const { results } = await tess.json<{ results: Made[] }>(`${at}${work.id}/comments/`);
    expect(results.map(({ text, visibility }) => [text, visibility])).toEqual([
      ['From me', 'class'],
      ['In answer', 'class'],
    ]);
    for (const reader of [visitor, bob])
      expect(await reader.json(`${at}${work.id}/comments/`)).toMatchObject({ count: 0 });
    expect(await kim.json(`${at}${work.id}/comments/`)).toMatchObject({ count: 2 });
    expect(await lee.json('/api/v1/me/notifications/')).toMatchObject({ results: [{ kind: 'answered' }] });
    expect(await ann.json('/api/v1/me/notifications/')).toMatchObject({
      results: [{ kind: 'commented' }, { kind: 'commented' }],
    });
  });

  test('whoever owns a class is one of its teachers, also without another role', async () => {
    const school = await openSchool(kind);
    const { olga, kim, tom, bob } = school;
    const work = await make(kim, { visibility: 'class' });
    const waits = await make(kim, { title: 'It waits', visibility: 'public' });
    expect([await status(olga, work), await status(olga, waits)]).toEqual([200, 200]);
    const { html_url } = await olga.json<{ html_url: string }>(`${at}${firstClass}/`);
    const page = new URL(html_url).pathname;
    expect(await (await olga.browser.get(`${page}class/waiting/`)).text()).toContain('It waits');
    expect((await olga.browser.get(`${page}hand-ins/`)).status).toBe(200);
    for (const other of [tom, bob, kim]) expect([403, 404]).toContain(await approve(other, waits));
    expect(await approve(olga, waits)).toBe(200);
  });

  test('a dump and a person’s own data carry for whom something was made', async () => {
    const school = await openSchool(kind);
    const { site, kim, lee } = school;
    const made = await copy(kim, await make(lee, { visibility: 'class' }));
    const waiting = await make(kim, { visibility: 'public' });
    await comment(school.tess, waiting, 'For you alone');
    const exported = await exportAll(site);
    const again = await siteOn(kind, { dump: exported });
    expect(await exportAll(again)).toBe(exported);
    await again.close();

    const own = await (await kim.get('/api/v1/me/dump/?format=ndjson')).text();
    expect(own).toContain(`"made_for":${firstClass},"source_maker":"classmate"`);
    const older = exported.replace(/,"source_maker":"classmate"/g, '').replace(/,"made_for":\d+/g, '');
    expect(older).not.toBe(exported);
    await importInto(site, older.replace(/^\{"type":"(vitrine-dump|change|end)",.*\n/gm, ''));
    expect(await change(kim, made, { visibility: 'public' })).toEqual(leavesNever);
  });

  test('rows of an older dump get the narrowest readers that their history shows', async () => {
    const moment = (second: number) => `2026-05-01T08:00:${String(second).padStart(2, '0')}.000000+00:00`;
    const row = (id: number, second: number, members: object) =>
      project(id, { ...members, created: moment(second), modified: moment(second) });
    const version = (number: number, line: string, second: number) => {
      const { type: _, ...members } = JSON.parse(line);
      return JSON.stringify({
        ...{ type: 'change', number, at: moment(second), actor: members.contributor, action: 'created' },
        ...{
          kind: 'project',
          subject: members.id,
          owner: members.contributor,
          version: { type: 'project', ...members },
        },
      });
    };
    const [kim, lee, ann] = [idOf('kim'), idOf('lee'), idOf('ann')];
    const forClass = row(200, 1, { contributor: lee, visibility: 'class' });
    const hiddenSince = row(200, 1, { contributor: lee, visibility: 'private' });
    const ofLee = row(201, 2, { contributor: kim, visibility: 'private', copied_from: 200 });
    const ofOwn = row(202, 3, { contributor: kim, visibility: 'class', copied_from: 201 });
    const drafted = row(203, 4, { contributor: ann, visibility: 'public', status: 0 });
    const word = { contributor: 1, content_type: 'comment', parent: 203, title: 'Early', text: 'Early' };
    const early = row(204, 5, word);
    const opened = row(203, 4, { contributor: ann, visibility: 'public' });
    const late = row(205, 8, { ...word, title: 'Late', text: 'Late' });
    const changes = [forClass, ofLee, ofOwn, drafted, early].map((line, index) =>
      version(index + 1, line, index + 1),
    );
    const site = await siteOn(kind, {
      dump: dump(
        ...changes,
        version(6, opened, 7),
        version(7, late, 8),
        version(8, hiddenSince, 9),
        ...schoolDump.trimEnd().split('\n'),
        ...[hiddenSince, ofLee, ofOwn, opened, early, late],
        contributor(50, 'nobody'),
      ),
    });
    await sweep(site.database, site.files);
    const exported = await exportAll(site);
    const marks = (id: number) => {
      const line =
        exported.split('\n').findLast((text) => text.startsWith(`{"type":"project","id":${id},`)) ?? '{}';
      const { visibility, made_for = null, source_maker = null } = JSON.parse(line);
      return [visibility, made_for, source_maker];
    };
    expect(marks(201)).toEqual(['private', firstClass, 'classmate']);
    expect(marks(202)).toEqual(['class', firstClass, 'classmate']);
    expect(marks(204)).toEqual(['private', 203, null]);
    expect(marks(205)).toEqual(['public', null, null]);
    expect(marks(lamp)).toEqual(['public', null, null]);
  });
});
