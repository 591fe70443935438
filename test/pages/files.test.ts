// Files on pages: in a browser without a script, from the form to the project and its cards.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { csrfTokenField } from '../../src/rest/parsers.ts';
import { openBrowser } from '../support/browser.ts';
import { onBothDatabases } from '../support/databases.ts';
import type { FormValues } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { jpeg, png } from '../support/pictures.ts';
import { ada as adasLine, dump, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite', content_type: 'document' }));

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

onBothDatabases((kind) => {
  test('a photo comes with its form, is shown, and another can be put before it', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const base = site.serve();
    const { Cookie = '' } = await site.signIn('ada');
    const window = await browser.newContext({ javaScriptEnabled: false, baseURL: base });
    const [name = '', value = ''] = Cookie.split('=');
    await window.addCookies([{ name, value, url: base }]);
    const page = await window.newPage();
    const button = (words: string) => page.getByRole('button', { name: words, exact: true });
    const upload = (label: string, buffer: Buffer, file = 'a picture.jpg') =>
      page.getByLabel(label).setInputFiles({ name: file, mimeType: 'image/jpeg', buffer });

    await page.goto('/new/photo/');
    await page.getByLabel('Title').fill('Sunrise');
    await upload('The photo', Buffer.from('no picture at all \0\x01\x02'));
    await page.getByLabel('What it shows').fill('The sun above a roof.');
    await button('Publish').click();
    const alert = await page.getByRole('alert').textContent();
    expect(alert).toContain('The photo: ');
    expect(alert).toContain('Choose the file again.');
    expect(await page.getByLabel('What it shows').inputValue()).toBe('The sun above a roof.');

    await upload('The photo', await jpeg(900, 600));
    await button('Publish').click();
    const picture = page.locator('figure img');
    await picture.waitFor();
    const readPictures = async () => [await picture.first().getAttribute('alt'), await picture.count()];
    expect(await readPictures()).toEqual(['The sun above a roof.', 1]);
    expect(
      await picture.evaluate((img: HTMLImageElement) => [img.naturalWidth > 0, img.width > img.height]),
    ).toEqual([true, true]);

    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await upload('A file', png(400, 300), 'roof.png');
    await page.getByLabel('What it shows').last().fill('The roof.');
    await button('Add it').click();
    await button('Put first roof.webp').click();
    await page.getByLabel('What it shows').first().fill('The roof, before.');
    await button('Save the words for roof.webp').click();
    await page.getByRole('link', { name: 'Done' }).click();
    expect(await readPictures()).toEqual(['The roof, before.', 2]);

    await page.goto('/');
    expect(await page.locator('.card', { hasText: 'Sunrise' }).locator('img').getAttribute('alt')).toBe(
      'The roof, before.',
    );

    await page.getByRole('link', { name: 'Sunrise' }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByRole('link', { name: 'Files', exact: true }).click();
    await button('Remove roof.webp').click();
    await page.getByRole('link', { name: 'Done' }).click();
    expect(await readPictures()).toEqual(['The sun above a roof.', 1]);
  });

  test('only a person who may change a project adds files to it, up to the size limit', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const path = '/content/uuid000000000000000001/a-thing/files/';
    const megabyte = 1024 * 1024;
    const ada = await person(site, 'ada');
    /** Sends the form of the page with a file of this size. */
    const upload = async (sender: Person, bytes: number, values: FormValues = {}) => {
      const file = new File([new Uint8Array(bytes).fill(65)], 'plan.txt');
      return (await sender.browser.upload(path, file, values)).status;
    };

    expect(await upload(visitor(site), 3 * megabyte)).toBe(303);
    expect(await upload(visitor(site), 100)).toBe(303);
    expect(await upload(ada, 26 * megabyte)).toBe(413);
    expect(await upload(ada, 100, { [csrfTokenField]: 'forged' })).toBe(403);
    expect(await upload(ada, 3 * megabyte)).toBe(303);
    expect(await site.json('/api/v1/projects/1/?fields=media')).toMatchObject({
      media: [{ name: 'plan.txt', type: 'text/plain', bytes: 3 * megabyte }],
    });
    const page = await visitor(site).open('/content/uuid000000000000000001/a-thing/');
    expect(page.textsOf('bdi')).toContain('plan.txt');
  });
});
