// The forms for the files of a project, in a browser without scripts, and what a project's page and cards then show.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { csrfTokenField } from '../../src/rest/parsers.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onOneDatabase } from '../support/databases.ts';
import { type FormValues, readPage } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { jpeg, png } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite', content_type: 'document' }));

const readValues = (inputs: Element[]) => inputs.map((input) => (input as HTMLInputElement).value);

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

onOneDatabase((kind) => {
  test('a photo is published with its file, and other files are described, put first and removed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const page = await (await openWindow(browser, ada, { javaScriptEnabled: false })).newPage();
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const chooseFile = (label: string, buffer: Buffer, name = 'a picture.jpg') =>
      page.getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'image/jpeg', buffer });
    const pictures = page.locator('.pictures img');
    const firstAltAndCount = async () => [await pictures.first().getAttribute('alt'), await pictures.count()];

    // A file that is not a picture is refused. The form keeps the other values.
    await page.goto('/new/photo/');
    await page.getByLabel('Title').fill('Sunrise');
    await chooseFile('Photo', Buffer.from('no picture at all \0\x01\x02'));
    await page.getByLabel(/^Describe the picture/).fill('The sun above a roof.');
    await button('Publish').click();
    const alert = await page.getByRole('alert').textContent();
    expect(alert).toContain('Photo: ');
    expect(alert).toContain('Please choose the files again.');
    expect(await page.getByLabel(/^Describe the picture/).inputValue()).toBe('The sun above a roof.');

    await chooseFile('Photo', await jpeg(900, 600));
    await button('Publish').click();
    await pictures.waitFor();
    expect(await firstAltAndCount()).toEqual(['The sun above a roof.', 1]);
    const isLoadedAndWide = (img: HTMLImageElement) => [img.naturalWidth > 0, img.width > img.height];
    expect(await pictures.evaluate(isLoadedAndWide)).toEqual([true, true]);

    await link('Edit').click();
    await link('Files').click();
    await page.getByLabel('Files', { exact: true }).setInputFiles([
      { name: 'roof.png', mimeType: 'image/png', buffer: png(400, 300) },
      { name: 'plan.py', mimeType: 'text/x-python', buffer: Buffer.from('print(1)') },
    ]);
    await button('Add files').click();
    const group = (name: string) => page.getByRole('group', { name });
    await group('roof.webp').getByLabel('Description').fill('The roof, before.');
    await group('roof.webp').getByLabel('Use as cover').check();
    await group('plan.py').getByLabel('Description').fill('A plan.');
    await button('Save').click();
    expect(await firstAltAndCount()).toEqual(['The roof, before.', 2]);

    await page.goto('/');
    const cardPicture = page.locator('.card', { hasText: 'Sunrise' }).locator('img');
    expect(await cardPicture.getAttribute('alt')).toBe('The roof, before.');

    await page.getByRole('link', { name: 'Sunrise' }).click();
    await link('Edit').click();
    await link('Files').click();
    expect(await page.getByLabel('Position').evaluateAll(readValues)).toEqual(['1', '2', '3']);
    await group('plan.py').getByLabel('Position').fill('1');
    await group('roof.webp').getByLabel('Remove').check();
    await button('Save').click();
    expect(await firstAltAndCount()).toEqual(['The sun above a roof.', 1]);
    await link('Edit').click();
    await link('Files').click();
    expect(await page.locator('.own-files legend').allTextContents()).toEqual(['plan.py', 'a picture.webp']);
  });

  test('files that were changed meanwhile are not overwritten without a warning', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const path = `${pathOf(1)}files/`;
    await ada.browser.upload(path, new File(['A plan.'], 'plan.txt'));
    const { body } = (await ada.open(path)).press('Save', { 'alt-1': 'The old plan.' });
    await ada.patch('/api/v1/projects/1/media/1/', { alt: 'The new plan.' });
    const read = () => ada.json('/api/v1/projects/1/?fields=media');

    const refused = await ada.send(`${path}save/`, body);
    expect(refused.status).toBe(400);
    const page = await readPage(refused);
    expect(page.errors).toEqual([
      'This was changed after you started editing. What you wrote is below. If you save again, it replaces that change.',
    ]);
    expect(page.fields['alt-1']).toBe('The old plan.');
    expect(await read()).toMatchObject({ media: [{ alt: 'The new plan.' }] });

    const again = page.press('Save').body;
    const wrong = await readPage(await ada.send(`${path}save/`, { ...again, 'position-1': 'first' }));
    expect(wrong.errors).toEqual(['Position: A valid integer is required.']);
    expect((await ada.send(`${path}save/`, again)).status).toBe(303);
    expect(await read()).toMatchObject({ media: [{ alt: 'The old plan.' }] });
  });

  test('a picture without a description is asked about before it is published, and may stay without', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const picture = () => new File([new Uint8Array(png(40, 30))], 'roof.png');
    const publish = async (values: FormValues) => {
      const sent = { title: 'Roof', visibility: 'public', status: '1', ...values };
      return (await ada.browser.upload('/new/photo/', picture(), sent)).headers.get('Location') ?? '';
    };
    const newest = '/api/v1/projects/?contributor=me&ordering=-id&fields=status,media&status__in=0,1';
    const read = async () => {
      const { results } = await ada.json<{ results: { status: number; media: { alt: string }[] }[] }>(newest);
      return [results[0]?.status, ...(results[0]?.media ?? []).map(({ alt }) => alt)];
    };

    expect(await publish({ alt: 'A roof.' })).toMatch(/\/roof\/\?published$/);
    const path = await publish({ alt: ' ' });
    expect(path).toMatch(/\/roof\/describe\/$/);
    expect(await read()).toEqual([0, ' ']);
    const page = await ada.open(path);
    expect(page.textsOf('h1, main label')).toEqual(['What is in the picture?', 'What is in the picture?']);
    const project = path.replace('describe/', '');
    // The other ways to publish it ask too.
    expect((await ada.send(`${project}status/`, { status: '1' })).headers.get('Location')).toBe(path);
    const edited = await ada.submit(`${project}edit/`, 'Publish', { Title: 'Old roof' });
    const asked = edited.headers.get('Location') ?? '';
    expect(asked).toBe(path.replace('/roof/', '/old-roof/'));

    const tooLong = await ada.submit(asked, 'Publish', { 'alt-1': 'x'.repeat(2001) });
    expect([tooLong.status, (await read())[0]]).toEqual([400, 0]);
    expect((await visitor(site).send(asked, {})).status).not.toBe(200);
    await ada.submit(asked, 'Publish', { 'What is in the picture?': ' A roof, before.' });
    expect(await read()).toEqual([1, 'A roof, before.']);
    // It is published now: there is nothing to ask.
    expect((await ada.browser.get(asked)).headers.get('Location')).toBe(asked.replace('describe/', ''));

    const second = await publish({});
    const published = await ada.submit(second, 'Publish');
    expect(published.headers.get('Location')).toMatch(/\?published$/);
    expect(await read()).toEqual([1, '']);
  });

  test('only a person who may change a project adds files to it, up to the size limit', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = `${pathOf(1)}files/`;
    const megabyte = 1024 * 1024;
    const ada = await person(site, 'ada');
    /** Sends the form of the page with a file of this size. */
    const upload = async (sender: Person, bytes: number, values: FormValues = {}) => {
      const file = new File([new Uint8Array(bytes).fill(65)], 'plan.txt');
      return (await sender.browser.upload(path, file, values)).status;
    };

    expect(await upload(visitor(site), 3 * megabyte)).toBe(303);
    expect(await upload(visitor(site), 100)).toBe(303);
    const refused = await ada.browser.upload(path, new File([new Uint8Array(26 * megabyte)], 'plan.txt'));
    expect(refused.status).toBe(413);
    expect((await readPage(refused)).text).toContain(
      'Up to 26.2 MB can be sent at once. Please go back, and choose fewer or smaller files.',
    );
    expect(await upload(ada, 100, { [csrfTokenField]: 'forged' })).toBe(403);

    expect(await upload(ada, 3 * megabyte)).toBe(303);
    expect(await visitor(site).json('/api/v1/projects/1/?fields=media')).toMatchObject({
      media: [{ name: 'plan.txt', type: 'text/plain', bytes: 3 * megabyte }],
    });
    const page = await visitor(site).open(pathOf(1));
    expect(page.textsOf('bdi')).toContain('plan.txt');
  });
});
