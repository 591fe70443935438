// The forms for the files of a project, in a browser without scripts, and what a project's page and cards then show.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser } from 'playwright-core';
import { csrfTokenField } from '../../src/rest/parsers.ts';
import { openBrowser, openWindow } from '../support/browser.ts';
import { onBothDatabases } from '../support/databases.ts';
import type { FormValues } from '../support/html.ts';
import { type Person, person, visitor } from '../support/person.ts';
import { jpeg, png } from '../support/pictures.ts';
import { ada as adasLine, dump, pathOf, project, siteOn } from '../support/site.ts';

const gallery = dump(adasLine, project(1, { title: 'Kite', content_type: 'document' }));

let browser: Browser;
beforeAll(async () => {
  browser = await openBrowser();
});

onBothDatabases((kind) => {
  test('a photo is published with its file, and another picture is put first and removed', async () => {
    const site = await siteOn(kind, { dump: gallery });
    const ada = await person(site, 'ada');
    const page = await (await openWindow(browser, ada, { javaScriptEnabled: false })).newPage();
    const link = (name: string) => page.getByRole('link', { name, exact: true });
    const button = (name: string) => page.getByRole('button', { name, exact: true });
    const chooseFile = (label: string, buffer: Buffer, name = 'a picture.jpg') =>
      page.getByLabel(label, { exact: true }).setInputFiles({ name, mimeType: 'image/jpeg', buffer });
    const pictures = page.locator('figure img');
    const firstAltAndCount = async () => [await pictures.first().getAttribute('alt'), await pictures.count()];

    // A file that is not a picture is refused. The form keeps the other values.
    await page.goto('/new/photo/');
    await page.getByLabel('Title').fill('Sunrise');
    await chooseFile('Photo', Buffer.from('no picture at all \0\x01\x02'));
    await page.getByLabel(/^Describe the picture/).fill('The sun above a roof.');
    await button('Publish').click();
    const alert = await page.getByRole('alert').textContent();
    expect(alert).toContain('Photo: ');
    expect(alert).toContain('Please choose the file again.');
    expect(await page.getByLabel(/^Describe the picture/).inputValue()).toBe('The sun above a roof.');

    await chooseFile('Photo', await jpeg(900, 600));
    await button('Publish').click();
    await pictures.waitFor();
    expect(await firstAltAndCount()).toEqual(['The sun above a roof.', 1]);
    const isLoadedAndWide = (img: HTMLImageElement) => [img.naturalWidth > 0, img.width > img.height];
    expect(await pictures.evaluate(isLoadedAndWide)).toEqual([true, true]);

    await link('Edit').click();
    await link('Files').click();
    await chooseFile('File', png(400, 300), 'roof.png');
    await page
      .getByLabel(/^Describe the picture/)
      .last()
      .fill('The roof.');
    await button('Add file').click();
    await button('Move to top roof.webp').click();
    await page
      .getByLabel(/^Describe the picture/)
      .first()
      .fill('The roof, before.');
    await button('Save description for roof.webp').click();
    await page.getByRole('link', { name: 'Done' }).click();
    expect(await firstAltAndCount()).toEqual(['The roof, before.', 2]);

    await page.goto('/');
    const cardPicture = page.locator('.card', { hasText: 'Sunrise' }).locator('img');
    expect(await cardPicture.getAttribute('alt')).toBe('The roof, before.');

    await page.getByRole('link', { name: 'Sunrise' }).click();
    await link('Edit').click();
    await link('Files').click();
    await button('Remove roof.webp').click();
    await page.getByRole('link', { name: 'Done' }).click();
    expect(await firstAltAndCount()).toEqual(['The sun above a roof.', 1]);
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
    expect(await upload(ada, 26 * megabyte)).toBe(413);
    expect(await upload(ada, 100, { [csrfTokenField]: 'forged' })).toBe(403);

    expect(await upload(ada, 3 * megabyte)).toBe(303);
    expect(await visitor(site).json('/api/v1/projects/1/?fields=media')).toMatchObject({
      media: [{ name: 'plan.txt', type: 'text/plain', bytes: 3 * megabyte }],
    });
    const page = await visitor(site).open(pathOf(1));
    expect(page.textsOf('bdi')).toContain('plan.txt');
  });
});
