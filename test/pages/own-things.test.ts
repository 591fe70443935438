// The account page: downloading one's own things, and bringing them to another gallery.

import { expect, test } from 'bun:test';
import { readFileSync } from 'node:fs';
import { strToU8, zipSync } from 'fflate';
import { openBrowser, openWindow } from '../support/browser.ts';
import { readPage } from '../support/html.ts';
import { person } from '../support/person.ts';
import { ada as adasLine, contributor, dump, project, siteOn } from '../support/site.ts';

const old = dump(
  adasLine,
  contributor(2, 'bob'),
  project(1, { title: 'A <i>lamp</i>' }),
  project(2, { title: 'Bob’s lamp', contributor: 2 }),
  project(3, { title: 'Remark', content_type: 'comment', parent: 2 }),
  project(4, { title: 'Bad', status: 3 }),
);

test('somebody takes their things from one gallery to another in a browser', async () => {
  const [oldSite, site] = [
    await siteOn('SQLite', { dump: old }),
    await siteOn('SQLite', { dump: dump(contributor(5, 'ada')) }),
  ];
  const browser = await openBrowser();
  const oldPage = await (await openWindow(browser, await person(oldSite, 'ada'))).newPage();
  await oldPage.goto('/account/');
  const downloading = oldPage.waitForEvent('download');
  await oldPage.getByRole('link', { name: 'Download my data' }).click();
  const download = await downloading;
  expect(download.suggestedFilename()).toMatch(/^gallery-ada-\d{4}-\d\d-\d\d\.zip$/);

  const page = await (await openWindow(browser, await person(site, 'ada'))).newPage();
  await page.goto('/account/');
  await page.getByRole('link', { name: 'Bring your own projects' }).click();
  await page.waitForURL('**/account/import/');
  const zip = {
    name: 'gallery.zip',
    mimeType: 'application/zip',
    buffer: readFileSync(await download.path()),
  };
  await page.getByLabel('Your ZIP').setInputFiles(zip);
  await page.getByRole('button', { name: 'Bring my projects' }).click();

  await page.locator('[data-result]').waitFor();
  expect(await page.locator('[data-result] > *').allTextContents()).toEqual([
    '1 project is here now, as one of your drafts.',
    'A <i>lamp</i>',
    'Left out',
    'BadA moderator removed it.',
    '1 comment was left out, because the project it belongs to is not here.',
  ]);
  await page.getByRole('button', { name: 'Bring my projects' }).click();
  await page.getByText('1 project was here already.').waitFor();
  await page.getByRole('link', { name: 'your drafts' }).waitFor({ state: 'detached' });
  expect(await page.locator('[data-result]').count()).toBe(1);
});

test('without scripts the page tells the same, in the person’s language, and what is wrong with a file', async () => {
  const site = await siteOn('SQLite', { dump: dump(adasLine) });
  const ada = await person(site, 'ada');
  const lines = dump(
    '{"type":"own-data","contributor":1}',
    project(1, { title: 'Una lámpara', trashed: '2024-01-01T00:00:00Z' }),
  );
  const zip = new File([new Uint8Array(zipSync({ 'gallery/data.ndjson': strToU8(lines) }))], 'gallery.zip');
  await ada.send('/language/', { language: 'es' });

  const left = await readPage(await ada.browser.upload('/account/import/', zip));
  expect(left.textsOf('[data-result] > *')).toEqual([
    'No llegó ningún proyecto nuevo.',
    'Quedó fuera',
    'Una lámpara Estaba en la papelera.',
  ]);
  const wrong = await ada.browser.upload('/account/import/', new File(['Hello'], 'gallery.zip'));
  expect([wrong.status, (await readPage(wrong)).errors]).toEqual([
    400,
    ['Tu ZIP: Esto no es un ZIP, o está incompleto. Descárgalo otra vez.'],
  ]);
  const none = await readPage(await ada.browser.upload('/account/import/', new File([], '')));
  expect(none.errors).toEqual(['Tu ZIP: No elegiste ningún archivo.']);
});
