// The documentation of the API in browsers with scripts.

import { beforeAll, expect, test } from 'bun:test';
import type { Browser, Page } from 'playwright-core';
import { openBrowser, openWindow } from '../support/browser.ts';
import { Person, visitor } from '../support/person.ts';
import { ada as adasLine, dump, project, type Site, siteOn } from '../support/site.ts';

let browser: Browser;
let site: Site;

beforeAll(async () => {
  site = await siteOn('SQLite', { dump: dump(adasLine, project(1, { title: 'A lamp' })) });
  browser = await openBrowser();
});

async function open(path: string, viewport = { width: 1280, height: 900 }): Promise<Page> {
  const page = await (await openWindow(browser, visitor(site), { viewport })).newPage();
  await page.goto(path);
  return page;
}

async function openAsAda(path: string): Promise<Page> {
  const session = await site.signIn('ada');
  const window = await openWindow(browser, new Person(site, session));
  await window.addCookies([{ name: 'csrftoken', value: session['X-CSRFToken'] ?? '', url: site.serve() }]);
  const page = await window.newPage();
  await page.goto(path);
  return page;
}

/** Fills the form of an operation, sends it, and returns the status and the body that the page shows. */
async function send(page: Page, id: string, values: Record<string, string>) {
  const operation = page.locator(`[id="${id}"]`);
  await operation.locator('.try > summary').click();
  for (const [label, value] of Object.entries(values))
    await operation.getByLabel(label, { exact: true }).fill(value);
  await operation.locator('form button').click();
  await operation.locator('.answer p').waitFor();
  const status = await operation.locator('.answer p').first().textContent();
  return { status, headers: await operation.locator('.answer pre').last().textContent(), operation };
}

test('a visitor sends a request from the page', async () => {
  const page = await open('/api/v1/docs/projects/');
  const { status, headers, operation } = await send(page, 'get-projects-id', {
    'id (required)': '1',
    fields: 'title,karma',
  });
  expect(status).toBe('HTTP 200 OK');
  expect(headers).toContain('content-type: application/json');
  expect(await operation.locator('.answer pre').first().textContent()).toBe(
    '{\n  "title": "A lamp",\n  "karma": 0\n}',
  );
  expect(await operation.locator('.answer .string').allTextContents()).toEqual(['"A lamp"']);
  expect(page.url()).toEndWith('/api/v1/docs/projects/');
});

test('a signed-in person writes from the page, and a visitor is refused', async () => {
  const values = { 'id (required)': '1', JSON: '{"title": "<b>A brighter lamp</b>"}' };
  const refused = await send(await open('/api/v1/docs/projects/'), 'patch-projects-id', values);
  expect(refused.status).toBe('HTTP 401 Unauthorized');

  const written = await send(await openAsAda('/api/v1/docs/projects/'), 'patch-projects-id', values);
  expect(written.status).toBe('HTTP 200 OK');
  expect(await written.operation.locator('.answer pre').first().textContent()).toContain(
    '"title": "<b>A brighter lamp</b>"',
  );
  expect(await site.json('/api/v1/projects/1/?fields=title')).toEqual({ title: '<b>A brighter lamp</b>' });
});

test('a file is sent from the page', async () => {
  const page = await openAsAda('/api/v1/docs/projects/');
  await page.locator('#post-projects-id-media input[type=file]').setInputFiles({
    name: 'notes.txt',
    mimeType: 'text/plain',
    buffer: Buffer.from('Two lamps'),
  });
  const { status } = await send(page, 'post-projects-id-media', { 'id (required)': '1' });
  expect(status).toBe('HTTP 201 Created');
});

test('the filter leaves the operations with all words, of every resource', async () => {
  const page = await open('/api/v1/docs/');
  const shown = page.locator('nav [data-operation]:visible');
  expect(await shown.count()).toBe(0);
  await page.getByLabel('Filter operations').fill('key CREATES');
  expect(await shown.allTextContents()).toEqual(['POST auth/keys/']);
  await shown.getByRole('link').click();
  await page.waitForURL('**/api/v1/docs/auth/#post-auth-keys');
  expect(await page.locator('nav a[aria-current=true]').first().textContent()).toBe('POST auth/keys/');
});

test('on a phone the navigation is behind a button, and a link closes it', async () => {
  const page = await open('/api/v1/docs/projects/', { width: 390, height: 844 });
  const link = page.locator('nav').getByRole('link', { name: 'POST projects/{id}/copy/' });
  expect(await link.isVisible()).toBe(false);
  await page.getByRole('button', { name: 'Operations' }).press('Enter');
  await link.click();
  expect(await link.isVisible()).toBe(false);
  expect(page.url()).toEndWith('#post-projects-id-copy');
});
