// The form with which contributors report a project to the moderators.

import { expect, test } from 'bun:test';
import sql from 'sql-template-tag';
import { csrfTokenField } from '#rest/parsers.ts';
import { count as countRows } from '#sql';
import { onBothDatabases } from '../support/databases.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const reportPath = (id: number) => `${pathOf(id)}report/`;

const gallery = dump(
  adasLine,
  contributor(2, 'zoe'),
  project(2, { title: 'A boat', text: 'It floats.' }),
  project(3, { title: 'A word', content_type: 'comment', parent: 2, text: 'Boo.' }),
  project(4, { title: 'A secret', visibility: 'private' }),
);

onBothDatabases((kind) => {
  test('a project and each of its comments have a link to report them', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');

    const page = await zoe.open(pathOf(2));
    expect([page.hasLink(reportPath(2)), page.hasLink(reportPath(3))]).toEqual([true, true]);
  });

  test('a report without a reason, or without the words that its reason needs, is rejected', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');

    const withoutReason = await zoe.send(reportPath(2));
    expect(withoutReason.status).toBe(400);
    expect((await readPage(withoutReason)).text).toContain('What’s wrong with it? Please fill this in.');

    const withoutWords = await zoe.send(reportPath(2), { reason: 'other' });
    expect(withoutWords.status).toBe(400);
    expect((await readPage(withoutWords)).text).toContain('Details: Say what it is.');

    const hostileText = '"><script>alert(1)</script>';
    const withNull = await zoe.send(reportPath(2), { reason: 'other', words: `${hostileText}\0` });
    expect(withNull.status).toBe(400);
    const { html, fields } = await readPage(withNull);
    expect(fields.words).toContain(hostileText);
    expect(html).toContain('&lt;script&gt;alert(1)');
    expect(html).not.toContain('<script>alert');
  });

  test('a contributor reports a project and reads what happens next', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const zoe = await person(site, 'zoe');

    expect((await zoe.open(reportPath(2))).text).toContain('It is not safe for children');
    const report = await zoe.send(reportPath(2), { reason: 'unkind', words: 'Look.' });
    expect([report.status, report.headers.get('Location')]).toEqual([303, `${reportPath(2)}sent/`]);

    const thanks = await zoe.open(`${reportPath(2)}sent/`);
    expect(thanks.text).toContain(
      'Thank you A moderator will read your report of A boat , and then leave it as it is, or',
    );

    const form = await zoe.open(reportPath(2));
    expect(form.text).toContain('You reported this on');
    expect(form.fields.reason).toBe('unkind');
  });

  test('a visitor signs in first, and nobody reports their own project or one they do not see', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const [ada, zoe] = [await person(site, 'ada'), await person(site, 'zoe')];

    const redirect = await visitor(site).get(reportPath(2));
    const signIn = `/sign-in/?${new URLSearchParams({ next: reportPath(2) })}`;
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([303, signIn]);

    expect((await ada.open(pathOf(2))).hasLink(reportPath(2))).toBe(false);
    expect((await ada.send(reportPath(2), { reason: 'spam' })).status).toBe(403);
    expect((await zoe.send(reportPath(4), { reason: 'spam' })).status).toBe(404);

    const forged = { reason: 'spam', [csrfTokenField]: 'guessed' };
    expect((await zoe.send(reportPath(2), forged)).status).toBe(403);
    expect(await countRows(site.database, sql`from report`)).toBe(0);
  });

  test('nobody has more than fifty open reports', async () => {
    const many = Array.from({ length: 51 }, (_, index) => project(100 + index));
    const site = await siteOn(kind, { dump: gallery + dump(...many) });
    const zoe = await person(site, 'zoe');
    for (let id = 100; id < 150; id++)
      expect((await zoe.send(reportPath(id), { reason: 'spam' })).status).toBe(303);

    const tooMany = await zoe.send(reportPath(150), { reason: 'spam' });
    expect(tooMany.status).toBe(400);
    expect((await readPage(tooMany)).text).toContain('You already have 50 open reports');

    const changed = await zoe.send(reportPath(100), { reason: 'unkind' });
    expect(changed.status).toBe(303);
  });
});
