// Changes that somebody keeps for later, in the form of a project and on its page.

import { expect, test } from 'bun:test';
import { openBrowser, openWindow } from '../support/browser.ts';
import { readPage } from '../support/html.ts';
import { person, visitor } from '../support/person.ts';
import { png } from '../support/pictures.ts';
import { ada as adasLine, contributor, dump, pathOf, project, siteOn } from '../support/site.ts';

const quote = { content_type: 'quote', title: 'Said', text: '> Less.\n>\n> — Dieter' };
const gallery = dump(
  adasLine,
  contributor(2, 'mo'),
  project(1, { title: 'A lamp', text: 'It shines.' }),
  project(2, { status: 0, title: 'A draft' }),
  project(3, quote),
);
const edits = '/api/v1/projects/1/edits/';
const edit = `${pathOf(1)}edit/`;

test('the form of what is published keeps changes for later, publishes them, and throws them away', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const others = async () =>
    (await visitor(site).json<{ title: string }>('/api/v1/projects/1/?fields=title')).title;
  expect((await ada.open(`${pathOf(2)}edit/`)).textsOf('button')).not.toContain('Keep for later');

  const wrong = await ada.submit(edit, 'Keep for later', { Title: ' ' });
  expect([wrong.status, (await readPage(wrong)).errors]).toEqual([400, ['Title: Please fill this in.']]);
  expect((await ada.get(edits)).status).toBe(404);
  const kept = await ada.submit(edit, 'Keep for later', { Title: 'A night lamp', visibility: 'unlisted' });
  expect(kept.headers.get('Location')).toBe(edit);
  const form = await ada.open(edit);
  expect([form.fields.title, form.fields.visibility]).toEqual(['A night lamp', 'unlisted']);
  expect(form.text).toContain('You work on changes that are kept for later. Only you see them.');
  expect(await others()).toBe('A lamp');
  expect((await ada.open(pathOf(1))).textsOf('article .notice')).toEqual([
    'You keep changes for later. Others see the project as it was.',
  ]);
  // What the form does not show stays.
  await ada.put(edits, { title: 'A night lamp', history: 'public' });
  const published = await ada.submit(edit, 'Publish the changes', { Title: 'The night lamp' });
  expect(published.headers.get('Location')).toBe(pathOf(1).replace('/a-project/', '/the-night-lamp/'));
  expect(await ada.json('/api/v1/projects/1/?fields=title,history')).toEqual({
    title: 'The night lamp',
    history: 'public',
  });
  expect([(await ada.get(edits)).status, await others()]).toEqual([404, 'The night lamp']);

  await ada.submit(edit, 'Keep for later', { Title: 'No lamp' });
  expect((await ada.submit(edit, 'Throw them away')).status).toBe(303);
  expect([(await ada.get(edits)).status, await others()]).toEqual([404, 'The night lamp']);
});

test('with kept changes, the list of files in the form is the one that is kept', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const files = async () =>
    (await visitor(site).json<{ name: string; alt: string }[]>('/api/v1/projects/1/media/')).map(
      ({ name, alt }) => [name, alt],
    );
  const upload = async (path: string, name: string) => {
    const picture = new File([Uint8Array.from(png(40, name.length))], name);
    return (await ada.browser.upload(path, picture)).headers.get('Location');
  };
  await upload(`${pathOf(1)}files/`, 'day.png');
  await ada.submit(edit, 'Keep for later', { Text: '![](night.png)' });
  expect(await upload(`${pathOf(1)}edits/files/`, 'night.png')).toBe(edit);
  const form = await ada.open(edit);
  expect(form.textsOf('.arrangement legend')).toEqual(['day.webp', 'night.webp']);
  const [, thumbnail = ''] = form.attributesOf('.tray img', 'src');
  expect([(await ada.get(thumbnail)).status, (await visitor(site).get(thumbnail)).status]).toEqual([
    200, 404,
  ]);
  const preview = await readPage(await ada.submit(edit, 'Preview'));
  expect(preview.attributesOf('#preview img', 'src')).toEqual([thumbnail]);
  const saved = form.press('Save the files', { remove: '1', 'alt-2': 'A night lamp' });
  expect((await ada.send(saved.action, saved.body)).headers.get('Location')).toBe(edit);
  // Another window has an earlier list.
  expect((await ada.send(saved.action, saved.body)).status).toBe(400);
  expect(await files()).toEqual([['day.webp', '']]);
  await ada.submit(edit, 'Publish the changes');
  expect(await files()).toEqual([['night.webp', 'A night lamp']]);
  expect((await visitor(site).get(thumbnail)).status).toBe(200);
});

test('publishing over a change that was made meanwhile asks once', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const mo = await person(site, 'mo', { role: 'moderator' });
  await ada.submit(edit, 'Keep for later', { Text: 'It glows.' });
  await mo.patch('/api/v1/projects/1/', { title: 'A quiet lamp' });
  await ada.submit(edit, 'Keep for later', { Text: 'It glows softly.' });
  const conflict = await ada.submit(edit, 'Publish the changes');
  const page = await readPage(conflict);
  expect([conflict.status, page.errors]).toEqual([
    400,
    [
      'This was changed after you started editing. What you wrote is below. If you save again, it replaces that change.',
    ],
  ]);
  expect(await ada.json(edits)).toMatchObject({ text: 'It glows softly.' });
  const { action, body } = page.press('Publish the changes');
  expect((await ada.send(action, body)).status).toBe(303);
  expect(await ada.json('/api/v1/projects/1/?fields=title,text')).toEqual({
    title: 'A lamp',
    text: 'It glows softly.',
  });
});

test('of two who keep at once, the second is asked', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const early = await ada.open(edit);
  await ada.submit(edit, 'Keep for later', { Text: 'It glows.' });
  const { action, body } = early.press('Keep for later', { Text: 'It shines softly.' });
  const answer = await ada.send(action, body);
  const page = await readPage(answer);
  expect([answer.status, page.errors, page.fields.text]).toEqual([
    400,
    [
      'These changes were kept elsewhere meanwhile, perhaps in another window. What you wrote is still in the form. If you keep it again, it replaces them.',
    ],
    'It shines softly.',
  ]);
  expect(await ada.json(edits)).toMatchObject({ text: 'It glows.' });
  const again = page.press('Keep for later');
  expect((await ada.send(again.action, again.body)).status).toBe(303);
  expect(await ada.json(edits)).toMatchObject({ text: 'It shines softly.' });
});

test('a kept quote is shown in the fields of a quote', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  await ada.submit(`${pathOf(3)}edit/`, 'Keep for later', { 'Who said it': 'Rams' });
  expect((await ada.open(`${pathOf(3)}edit/`)).fields.said_by).toBe('Rams');
});

test('kept changes are saved while somebody writes, and go on in another browser', async () => {
  const site = await siteOn('SQLite', { dump: gallery });
  const ada = await person(site, 'ada');
  const browser = await openBrowser();
  await ada.put(edits, { text: 'It glows.' });
  const window = await openWindow(browser, ada);
  const page = await window.newPage();
  await page.goto(edit);
  for (const words of ['It glows softly.', 'It glows softly at night.']) {
    await page.getByRole('textbox', { name: 'Text' }).fill(words);
    const [response] = await Promise.all([
      page.waitForResponse((answer) => answer.url().endsWith('/edits/')),
      page.getByRole('status').filter({ hasText: 'Kept for later.' }).waitFor(),
    ]);
    expect(response.status()).toBe(200);
    expect(await ada.json(edits)).toMatchObject({ text: words });
  }
  const other = await (await openWindow(browser, ada)).newPage();
  await other.goto(edit);
  expect(await other.getByRole('textbox', { name: 'Text' }).inputValue()).toBe('It glows softly at night.');
  expect(await other.getByRole('button', { name: 'Load those' }).isVisible()).toBe(false);

  const text = page.getByRole('textbox', { name: 'Text' });
  const told = (words: string) => page.getByRole('status').filter({ hasText: words }).waitFor();

  // In another window, on another device.
  await other.getByRole('textbox', { name: 'Text' }).fill('It glows elsewhere.');
  await other.getByRole('status').filter({ hasText: 'Kept for later.' }).waitFor();
  const choice = page.locator('[data-kept-elsewhere]');
  expect(await choice.isVisible()).toBe(false);
  await text.fill('It glows here.');
  await told('These changes were kept elsewhere meanwhile');
  expect(await ada.json(edits)).toMatchObject({ text: 'It glows elsewhere.' });
  await page.getByRole('button', { name: 'Keep mine' }).click();
  await told('Kept for later.');
  expect(await ada.json(edits)).toMatchObject({ text: 'It glows here.' });
  await other.getByRole('textbox', { name: 'Text' }).fill('It glows nowhere.');
  await other.getByRole('button', { name: 'Load the others' }).click();
  await other.waitForFunction(() => document.querySelector('textarea')?.value === 'It glows here.');

  await window.setOffline(true);
  await text.fill('It glows in a tunnel.');
  await told('Not kept yet: there is no answer.');
  await window.setOffline(false);
  await told('Kept for later.');
  expect(await ada.json(edits)).toMatchObject({ text: 'It glows in a tunnel.' });

  await window.clearCookies();
  await text.fill('It glows for nobody.');
  await told('Not kept: you are signed out.');
  expect(await ada.json(edits)).toMatchObject({ text: 'It glows in a tunnel.' });
});
